#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Energy and momentum. Velocity Verlet's error of the energy is of second order in the time step, so half the step makes it a
# quarter of what it was; the cut of the force at the cutoff adds a little that is not. And the stated tolerance of README.md.
source "$(dirname "$0")/common.sh"

error() { moldyn 2 --scenario liquid --box 10,10,10 --cutoff 2.5 --margin 0.4 --cell 3 --report 5 "$@" | tee "$work/out" | value 'largest error of the energy'; }
momentum() { value momentum <"$work/out"; }

# The same time, from the perfect crystal: potential turns into kinetic energy and back.
coarse=$(error --steps 50 --time-step 0.008 --settle 5)
fine=$(error --steps 100 --time-step 0.004 --settle 5)
echo "largest error an atom: $coarse with a step of 0.008, $fine with 0.004"
awk "BEGIN { exit !($coarse / $fine > 3 && $coarse / $fine < 6) }" || fail "half the time step does not make the error a quarter"

long=$(error --steps 1000 --time-step 0.004 --settle 5)
echo "largest error an atom in 1000 steps: $long; momentum $(momentum)"
awk "BEGIN { exit !($long < 1e-3 && $long < 1.2 * $fine) }" || fail "the energy is not conserved, or drifts"
# Some 1000 atoms with velocities of about 1, rounded to 1e-16 in each of 1000 steps: 1e-13 by chance, 1e-10 at worst.
awk "BEGIN { exit !($(momentum) < 1e-10) }" || fail "the momentum is not conserved"
