#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The solver's double couple in a full space is the analytic one; and the check notices a wrong mechanism.
. "$(dirname "$0")/common.sh"
seismic 2 --output "$work/out" "$scenarios/fullspace.txt"
problem="vp=5000 vs=2887 rho=2700 h=100 dt=0.008 x=4000 y=4000 z=3900 moment=1e15 strike=40 dip=60 duration=0.7"
"$build/check_fullspace" $problem rake=70 "$work"/out/*.txt || fail "the seismograms are not the analytic ones"
if "$build/check_fullspace" $problem rake=73 "$work"/out/*.txt; then fail "a rake wrong by 3 degrees passes"; fi
