#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# alone.sh SKEIN LATE: ranks that never wait for each other are still balanced lazily: no rank ends before the others
# of its PE have left their first shares.
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 late=$2

"$skein" run -p 2 -n 8 "$late" 4000 1 >unmoved.out 2>unmoved.err || fail "unmoved: exit status $?"
for options in '-p 3 --lb-mode lazy' '-p 2 --lb-mode lazy:thread'; do
  # shellcheck disable=SC2086 # several words
  "$skein" run $options -n 8 --lb greedy --lb-period 5 --lb-report run.report "$late" 4000 1 >run.out 2>run.err ||
    fail "$options: exit status $?"
  cmp unmoved.out run.out >&2 || fail "$options: the program printed something else than unmoved"
  says 'LB lazy: [1-9][0-9]* decisions? '
  says 'LB moved [1-9][0-9]* ranks?'
done
