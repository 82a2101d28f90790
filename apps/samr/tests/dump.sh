#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Strategies' view of grids can be written and compared: each grid has a name of its own, and can be split.
# dump.sh FOLDER MPIEXEC SKEIN, the skein command.
source "$(dirname "$0")/common.sh"

samr 2 --problem sod --cells 48,16,16 --levels 1 --steps 2 --skein.lb-period=1 --skein.lb-dump="$work/loads.json" >/dev/null 2>&1
said=$("$skein" lb compare "$work/loads.json" --strategies move-split --json) || fail "$said"
[[ $said =~ \"parts_split_off\":\ *([0-9]+) ]] || fail "no number of parts: $said"
((BASH_REMATCH[1] > 0)) || fail "none of three equal grids would be split on two PEs"
