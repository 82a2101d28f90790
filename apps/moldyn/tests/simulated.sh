#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A recorded run has an LB step at each of its sync points when it is played with a strategy, whether it was recorded with
# one or without: then elements go on from sync points to which others have not come.
source "$(dirname "$0")/common.sh"
skein=$programs/../../bin/skein

for lb in none greedy; do
  moldyn 2 "${small[@]}" --steps 20 --settle 5 --sync 1 --report 40 --skein.lb=$lb --skein.lb-period=1 \
    --skein.trace="$work/$lb.sktrace" >/dev/null 2>"$work/stderr" || fail "recording failed: $(cat "$work/stderr")"
  points=$("$skein" trace info "$work/$lb.sktrace" | sed -n 's/^sync points: \([0-9]*\);.*/\1/p')
  ((points > 1)) || fail "$lb: there are $points sync points"
  for period in 1 2; do
    played=$("$skein" simulate "$work/$lb.sktrace" --platform opteron288 -p 2 --lb greedy --lb-period $period --json)
    steps=$(grep -o '"at_s"' <<<"$played" | wc -l)
    ((steps == points / period)) || fail "recorded with $lb: $steps LB steps at period $period, $points sync points"
    ! grep -q objects_behind <<<"$played" || fail "recorded with $lb: some had not come"
  done
done
