#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An explosion below the free surface moves it as the exact solution says, near the source and where the Rayleigh
# wave is strong; and the check notices a wrong velocity.
. "$(dirname "$0")/common.sh"
cat >"$work/free.txt" <<END
grid nx=64 ny=44 nz=44 spacing=100
time step=0.009 steps=260
boundary layer=10 frequency=1.5 free_surface=1
layer top=0 vp=5000 vs=2887 rho=2700
source x=1700 y=2200 z=1000 moment=1e15 explosion=1 duration=0.9
station name=near x=2200 y=2200
station name=far x=4800 y=2200
END
seismic 2 --output "$work/free" "$work/free.txt"
for station in near far; do
  "$build/check_free_surface" 0.02 5000 2887 2700 1700 2200 1000 1e15 0.9 "$work/free/$station.txt" ||
    fail "$station: the surface moves wrongly"
done
if "$build/check_free_surface" 0.02 5000 2930 2700 1700 2200 1000 1e15 0.9 "$work/free/far.txt"; then
  fail "an S velocity wrong by 1.5 % passes"
fi
