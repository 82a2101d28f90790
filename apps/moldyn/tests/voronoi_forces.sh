#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Forces of the wire are those of a direct sum over all pairs: at once, when atoms have changed domains that move, when some domains have
# no atoms, and when biases are not 0.
source "$(dirname "$0")/common.sh"

voronoi 1 "${wire[@]}" --steps 0 --write "$work/start" >/dev/null
"$programs/check_forces" "$work/start" metal
voronoi 4 "${wire[@]}" --grid 2x2 --steps 60 --jitter 0.4 --temperature 0.3 --by molecules --write "$work/moved" >/dev/null
"$programs/check_forces" "$work/moved" metal
voronoi 4 "${wire[@]}" --grid 1x4 --frame 1 --steps 12 --balance none --loads --write "$work/empty" >"$work/out"
grep -q 'atoms 0 ' "$work/out" || fail "no domain is empty"
"$programs/check_forces" "$work/empty" metal
voronoi 4 "${wire[@]}" --grid 1x4 --skew 2 --steps 24 --balance global --write "$work/biased" >/dev/null
"$programs/check_forces" "$work/biased" metal

# The check itself: forces of another potential are none of this one.
if "$programs/check_forces" "$work/start" >/dev/null 2>&1; then fail "check_forces takes those of a metal for others"; fi
