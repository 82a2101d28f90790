#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Forces are those of a direct sum over all pairs: in a crystal's first step, and when atoms have changed cells and elements
# have moved.
source "$(dirname "$0")/common.sh"

moldyn 1 "${small[@]}" --steps 0 --write "$work/start" >/dev/null
"$programs/check_forces" "$work/start"
moldyn 2 "${small[@]}" --steps 85 --sync 1 --skein.lb=random --skein.lb-period=1 --write "$work/moved" >/dev/null
"$programs/check_forces" "$work/moved"
moldyn 2 --scenario liquid --box 9,10,11 --cutoff 2.2 --margin 0.3 --cell 2.5 --settle 4 --steps 30 --write "$work/liquid" >/dev/null
"$programs/check_forces" "$work/liquid"

# The check itself: one wrong digit of a force is found.
awk 'NR == 10 { $NF = $NF + 1e-6 } { print }' "$work/liquid" >"$work/wrong"
if "$programs/check_forces" "$work/wrong" >/dev/null 2>&1; then fail "check_forces finds no wrong force"; fi
