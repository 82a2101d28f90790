#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Energy and momentum of the wire, while domains move. The potential and its slope are 0 at the cutoff, so velocity Verlet's error of
# the energy is of second order in the time step: a quarter with half the step.
source "$(dirname "$0")/common.sh"

error() { voronoi 4 "${wire[@]}" --grid 2x2 --jitter 0.3 --temperature 0.2 --report 5 "$@" | tee "$work/out" | value 'largest error of the energy'; }

coarse=$(error --steps 100 --time-step 0.012)
fine=$(error --steps 200 --time-step 0.006)
echo "largest error an atom: $coarse with a step of 0.012, $fine with 0.006"
awk "BEGIN { exit !($coarse / $fine > 3.3 && $coarse / $fine < 4.7) }" || fail "half the time step does not make the error a quarter"

long=$(error --steps 1000 --time-step 0.006)
echo "largest error an atom in 1000 steps: $long; momentum $(value momentum <"$work/out")"
awk "BEGIN { exit !($long < 1.5 * $fine) }" || fail "the energy drifts"
# Some 1000 atoms with velocities below 1, rounded to 1e-16 in each of 1000 steps: 1e-13 by chance, 1e-10 at worst.
awk "BEGIN { exit !($(value momentum <"$work/out") < 1e-10) }" || fail "the momentum is not conserved"
