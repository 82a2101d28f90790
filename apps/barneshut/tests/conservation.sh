#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Energy and momentum.
source "$(dirname "$0")/common.sh"

# error OPTION...: of the energy. Output in $work/out.
error() { barneshut 2 --report 1 "$@" >"$work/out" && value 'largest error of the energy' <"$work/out"; }
momentum() { value momentum <"$work/out"; }

# With forces that are exact, leapfrog's error is of second order in the time step, so half the step makes it a quarter.
exact=(--bodies 500 --theta 0 --softening 0.1)
coarse=$(error "${exact[@]}" --steps 50 --time-step 0.04)
fine=$(error "${exact[@]}" --steps 100 --time-step 0.02)
echo "exact forces, largest error of the energy: $coarse with a step of 0.04, $fine with 0.02; momentum $(momentum)"
holds "$coarse / $fine > 3.5 && $coarse / $fine < 4.5" || fail "half the time step does not make the error a quarter"
# Pairs attract each other alike but for rounding: 100 steps of sums that are below 10, of 16 digits.
holds "$(momentum) < 1e-13" || fail "exact forces do not conserve the momentum"

# A cell is attracted otherwise than it attracts. Errors of forces e_i, independent of each other, change the momentum in a
# unit of time by the square root of the sum of (m_i e_i)^2, which is that of m_i e_i^2, which check_direct gives, over that
# of the number of bodies. In the time of 3 they add up to 3 times that if they never change; thrice that is left to chance.
long=$(error --bodies 1000 --steps 300 --theta 0.7 --write "$work/bodies")
force=$("$programs/check_direct" "$work/bodies" | value force)
echo "theta 0.7, largest error of the energy: $long; momentum $(momentum), errors of forces $force"
holds "$long < 1e-3" || fail "the energy is not conserved, or drifts"
holds "$(momentum) < 3 * 3 * $force / sqrt(1000)" || fail "the momentum is not conserved as far as errors of forces say"
