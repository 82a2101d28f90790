#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A shock that is tilted against all axes stays a plane at the right place, also at the ends of the domain: the error is of
# first order in L1.
source "$(dirname "$0")/common.sh"

error() {
  samr 2 --cells 16,16,16 --levels "$1" --end 0.05 --report 1000 --write "$work/cells" >"$work/out"
  "$programs/check_front" "$work/cells" 3 10 | value 'L1 error'
}
coarse=$(error 1)
fine=$(error 2)
echo "L1 error of the density: $coarse with cells of 1/16, $fine with 1/32"
holds "$coarse < 0.15 && $coarse / $fine > 1.6" || fail "it does not converge"
