#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the absorbing layers send back: a small world against one so large that nothing returns from its edges in
# time. A layer of 10 cells returns less than 1e-4 of the energy at stations in front of it; one of 2 cells more.
. "$(dirname "$0")/common.sh"
# world CELLS LAYER OFFSET: the same source and stations, OFFSET cells further in.
world() {
  local at=$(($3 * 100))
  cat <<END
grid nx=$1 ny=$1 nz=$1 spacing=100
time step=0.009 steps=180
boundary layer=$2 frequency=2 free_surface=0
layer top=0 vp=5000 vs=2887 rho=2700
source x=$((at + 2400)) y=$((at + 2400)) z=$((at + 2400)) moment=1e15 strike=30 dip=70 rake=40 duration=0.8
station name=face x=$((at + 3700)) y=$((at + 2500)) z=$((at + 2200))
station name=corner x=$((at + 3600)) y=$((at + 3700)) z=$((at + 3500))
END
}
# The first P wave is back at a station of the large world, 36 cells of edge added, after more than
# (2 * (36 + 10) + 24 - 13) cells * 100 m / 5000 m/s = 2.06 s; the run takes 1.62 s.
world 48 10 0 >"$work/small.txt"
world 48 2 0 >"$work/thin.txt"
world 120 10 36 >"$work/large.txt"
for name in small thin large; do seismic 2 --output "$work/$name" "$work/$name.txt"; done
for station in face corner; do
  "$build/compare_seismograms" 1e-4 "$work/small/$station.txt" "$work/large/$station.txt" || fail "the layer reflects"
  if "$build/compare_seismograms" 1e-3 "$work/thin/$station.txt" "$work/large/$station.txt"; then
    fail "even two cells absorb: the comparison sees nothing"
  fi
done
