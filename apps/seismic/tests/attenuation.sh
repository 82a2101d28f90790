#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# P waves (an explosion) and S waves (a strike-slip source seen on its P node) lose and delay what Qp = 30 and
# Qs = 20 make them; and the check notices another Q.
. "$(dirname "$0")/common.sh"
# world MECHANISM QUALITIES
world() {
  cat <<END
grid nx=68 ny=48 nz=48 spacing=100
time step=0.009 steps=260
boundary layer=10 frequency=1.5 free_surface=0
attenuation low=0.2 high=5 reference=1.25
layer top=0 vp=5000 vs=2887 rho=2700 $2
source x=1800 y=2400 z=2400 moment=1e15 $1 duration=0.9
station name=axis x=4600 y=2400 z=2400
END
}
# check KIND MECHANISM DISTANCE
check() {
  local kind=$1 rock="5000 2887 $3 1.25"
  world "$2" '' >"$work/elastic.txt"
  world "$2" 'qp=30 qs=20' >"$work/lossy.txt"
  for name in elastic lossy; do seismic 2 --output "$work/$name" "$work/$name.txt"; done
  "$build/check_attenuation" "$kind" 30 20 $rock "$work"/{lossy,elastic}/axis.txt || fail "$kind: wrong loss"
  if "$build/check_attenuation" "$kind" 33 22 $rock "$work"/{lossy,elastic}/axis.txt; then
    fail "$kind: a Q wrong by a tenth passes"
  fi
}
check explosion explosion=1 2850 # vx is recorded half a cell further on
check shear 'strike=0 dip=90 rake=0' 2800
