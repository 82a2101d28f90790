#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recorded.sh FILE CHECK [KIND=COUNT...] -- COMMAND...: a native program that passes while it is recorded, and whose trace
# hangs together and has so many events.
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
