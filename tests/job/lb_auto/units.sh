#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# units.sh SKEIN PROGRAM: in which unit a program declares its loads does not matter to --lb-period auto. What is
# gained or lost is microseconds in a step of 40 ms, so intervals double again and again: 1, 2, 4, 8, 16, 32, 57.
set -euo pipefail
skein=$1 program=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-units.XXXXXX")
trap 'rm -rf "$work"' EXIT

for unit in 1 1000000000; do
  "$skein" run -p 2 -n 4 --lb refine --lb-period auto --lb-report "$work/report" "$program" 120 $unit
  steps=$(wc -l <"$work/report")
  if ((steps > 9)); then
    echo "FAILED: $steps LB steps at 120 sync points, with a unit of which a second has $unit" >&2
    exit 1
  fi
done
