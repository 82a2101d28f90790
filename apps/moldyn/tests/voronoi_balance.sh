#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Centres that move balance the wire; the advisor has the same imbalance as the program, and finds forces the better model of its work
# than atoms; the model balances where that pays. Work is counted, so that no figure depends on how busy the machine is.
source "$(dirname "$0")/common.sh"

# The centres are denser on the left; without balance the last of them has most.
run=(--box 60,20,20 --radius 3.5 --margin 0.3 --settle 5 --sync 1 --grid 1x4)
last() { sed -n 's/^interval 20: imbalance \(.*\) %/\1/p' "$work/out"; }
for balance in none diffusive global; do
  voronoi 4 "${run[@]}" --skew 1.5 --steps 101 --balance $balance >"$work/out"
  declare "$balance=$(last)"
done
echo "imbalance: none $none %, diffusive $diffusive %, global $global %"
voronoi 4 "${run[@]}" --skew 1.5 --steps 101 --balance model >"$work/out"
grep '^model: ' "$work/out" || fail "the model does not say what it expects"
grep -q '^model: .*: \(diffusive\|global\)$' "$work/out" && awk "BEGIN { exit !($(last) < $none / 4) }" || fail "the model does not balance"
awk "BEGIN { exit !($none > 30 && $diffusive < $none / 4 && $global < $none / 4) }" || fail "centres that move do not balance"

# Domains at the ends have one neighbour, others two, and atoms at the ends have fewer neighbours.
voronoi 4 "${run[@]}" --steps 16 --balance model --koradi-steps 5000 --judge >"$work/out"
sed -i '/^interval 1/q' "$work/out"
cat "$work/out"
# of ABSTRACTION NAME WHICH: a figure that the advisor says.
of() { sed -n "s/^abstraction $1: .*\b$2 \([-0-9.]*\).*/\1/p" "$work/out"; }
measured=$(sed -n 's/^abstraction forces: imbalance .* of \([0-9.]*\) %.*/\1/p' "$work/out")
[[ $(sed -n 's/^interval 1: imbalance \(.*\) %/\1/p' "$work/out") == "$measured" ]] || fail "the advisor measures another imbalance"
awk "BEGIN { exit !($(of forces 'rank correlation') > $(of molecules 'rank correlation') && $(of forces rmse) < $(of molecules rmse)) }" ||
  fail "forces are no better a model than molecules"
grep -q '^model: none .*: none$' "$work/out" || fail "the model does not see that a dear method cannot pay"
