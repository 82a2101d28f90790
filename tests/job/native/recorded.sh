#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recorded.sh FILE CHECK [KIND=COUNT...] -- COMMAND...: the native program must pass while it is recorded, and its trace
# must be consistent and have so many events.
set -euo pipefail
file=$1 check=$2
shift 2
counts=()
while [[ $1 != -- ]]; do counts+=("$1"); shift; done
shift
rm -f "$file"
said=$("$@" --skein.trace="$file")
[[ $said == *passed* ]]
"$check" "$file" "${counts[@]}"
rm -f "$file"
