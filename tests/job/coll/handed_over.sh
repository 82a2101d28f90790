#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# handed_over.sh SKEIN PROGRAM: checks the report's bytes of moves while ranks have hundreds of nonblocking collectives
# under way. PROGRAM is tests/programs/coll/outstanding.c: a rank has less than a megabyte of its own in its heap, and
# some 250 stacks of 288 KiB and more.
set -euo pipefail
skein=$1 program=$2
ranks=5
most=$((ranks << 20))
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-handed-over.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$skein" run -q -p 2 -n "$ranks" --arena shared --lb rotate --lb-period 1 --lb-report "$work/report" "$program"
mapfile -t steps < <(grep -o '"bytes_handed_over":[0-9]*' "$work/report" | cut -d: -f2)
((${#steps[@]} == 3)) || { echo "FAILED: ${#steps[@]} steps, not 3" >&2; exit 1; }
for bytes in "${steps[@]}"; do
  ((bytes > 0 && bytes < most)) ||
    { echo "FAILED: $bytes bytes of $ranks ranks were handed over; right is less than $most" >&2; exit 1; }
done
