#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sod's shock tube against the exact solution. At jumps any scheme of second order has an L1 error that falls a little slower
# than the first power of the cell's side (contacts smear with its power 2/3, shocks do not); measured over two halvings.
source "$(dirname "$0")/common.sh"

error() {
  samr 2 --scenario sod --write "$work/cells" "$@" >"$work/out"
  "$programs/check_sod" "$work/cells" 8 | value 'L1 error'
}

coarse=$(error --levels 1)
middle=$(error --levels 2)
fine=$(error --levels 3)
adapted=$fine
echo "L1 error of the density: $coarse with cells of 1/128, $middle with 1/256, $fine with 1/512 of the tube"
awk "BEGIN { exit !($coarse < 0.015 && $coarse / $middle > 1.5 && $middle / $fine > 1.5) }" || fail "it does not converge"

# Refined where it matters is as good as refined everywhere: the same finest cells, of 1/512, on a mesh without refinement.
everywhere=$(error --levels 1 --cells 64)
echo "$everywhere with cells of 1/512 everywhere"
awk "BEGIN { exit !($adapted < 1.1 * $everywhere) }" || fail "the adapted mesh is worse"
