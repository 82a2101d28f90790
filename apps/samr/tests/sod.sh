#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sod's shock tube against the exact solution: of first order in L1, the best that a scheme of second order reaches at contacts
# and shocks (contacts smear with the power 2/3 or 4/5 of the cell's side). Nothing is lost on the way.
source "$(dirname "$0")/common.sh"

# error OPTION...: sets error, that of the density.
error() {
  samr 2 --problem sod --report 1000 --write "$work/cells" "$@" >"$work/out"
  for kept in mass energy; do
    change=$(value "change of the $kept" <"$work/out")
    holds "$change < 1e-12 && $change > -1e-12" || fail "$*: the $kept changes by $change"
  done
  error=$("$programs/check_tube" "$work/cells" | value 'L1 error')
}

error --cells 64,4,4 --levels 1
coarse=$error
error --cells 64,4,4 --levels 2
middle=$error
error --cells 64,4,4 --levels 3
fine=$error
echo "L1 error of the density: $coarse with cells of 1/64, $middle with 1/128, $fine with 1/256"
holds "$coarse < 0.012 && $coarse / $middle > 1.6 && $middle / $fine > 1.6" || fail "it does not converge"

# Refinement in the right places is as good as refinement everywhere.
error --cells 128,4,4 --levels 1
echo "$error with cells of 1/128 everywhere"
holds "$middle < 1.1 * $error" || fail "the adapted mesh is worse"
