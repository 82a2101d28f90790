#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Particles of a wave fall to a pancake as in Zel'dovich's solution, until they meet.
source "$(dirname "$0")/common.sh"

# error CELLS OPTION...: prints the error with CELLS cells along the wave.
error() {
  samr 2 --problem pancake --levels 1 --end 1.9 --report 1000 --write-particles "$work/particles" "${@:2}" >"$work/out"
  "$programs/check_pancake" "$work/particles" "$1" 0.2 | value error
}
coarse=$(error 16 --cells 16,4,4)
fine=$(error 32 --cells 32,8,8)
echo "error $coarse with 16 cells along the wave, $fine with 32"
holds "$coarse < 0.04 && $fine < 0.015 && $coarse / $fine > 2.5" || fail "they are elsewhere, or it does not converge"
