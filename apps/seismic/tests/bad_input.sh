#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Wrong scenario files and options: the message names file, line and key; the exit status is not zero.
. "$(dirname "$0")/common.sh"
# refuse PATTERN ARGUMENTS...: without mpiexec, as one process, which starts faster.
refuse() {
  local pattern=$1
  shift
  if "$build/seismic_mpirun" --output "$work/out" "$@" >"$work/log" 2>&1; then fail "accepted: $pattern"; fi
  grep -qE "$pattern" "$work/log" || { cat "$work/log" >&2; fail "no such message: $pattern"; }
}
# wrong SED-SCRIPT PATTERN: the small scenario, spoilt.
wrong() {
  sed "$1" "$here/small.txt" >"$work/bad.txt"
  refuse "seismic: .*/bad.txt:$2" "$work/bad.txt"
}
line() { grep -n "^$1" "$here/small.txt" | head -1 | cut -d: -f1; }

wrong 's/nx=61/nx=many/' "$(line grid): grid: key 'nx': 'many' is not a number"
wrong 's/nx=61/nx=61.5/' "$(line grid): grid: key 'nx': 61.5 is not a whole number"
wrong 's/nx=61/nx=-3/' "$(line grid): grid: key 'nx': -3 is outside 8 to"
wrong 's/nx=61/nx=nan/' "$(line grid): grid: key 'nx': 'nan' is not a number"
wrong 's/ spacing=400//' "$(line grid): grid: key 'spacing' is missing"
wrong 's/steps=160/steps=160 steps=2/' "$(line time): time: key 'steps' is given twice"
wrong 's/steps=160/stepz=160/' "$(line time): time: unknown key 'stepz'; it takes: step, steps, floor, subnormals"
wrong 's/steps=160/steps/' "$(line time): time: 'steps' is not of the form key=value"
wrong 's/^time.*/&\ntime step=1 steps=1/' "$(($(line time) + 1)): time: at most 1 such line"
wrong 's/^boundary/boundry/' "$(line boundary): unknown directive 'boundry'; there are: grid, time"
wrong 's/^time.*//' " the line 'time' is missing"
wrong 's/step=0.028/step=0.1/' " time: key 'step': 0.1 is above 0.0347"
wrong 's/layer=8/layer=30/' " boundary: key 'layer': two absorbing layers of 30 cells do not fit in 40"
wrong 's/^attenuation.*//' "$(line basin): basin: key 'qp' needs an 'attenuation' line"
wrong 's/ qs=80//' "$(line basin): basin: keys 'qp' and 'qs' go together"
wrong 's/vs=2750/vs=4700/' "$(line layer): layer: key 'vp': 4800 is below 1.16 times vs"
wrong 's/top=0 /top=9 /' "$(line layer): layer: key 'top': layers start at 0"
wrong 's/z=6000/z=600/' "$(line source): source: key 'z': 600 is not at least 3 cells inside"
wrong 's/x=5200/x=52000/' "$(line station): station: key 'x': 52000 is outside the grid"
wrong 's/name=rock/name=basin/' "$(($(line station) + 1)): station: key 'name': 'basin' is also the station of line"
wrong 's/name=rock/name=..\/rock/' "$(($(line station) + 1)): station: key 'name': '../rock' is not a name"
refuse "cannot read $work/none.txt: No such file" "$work/none.txt"
refuse "no scenario given"
refuse "unknown option '--frobnicate'" --frobnicate "$here/small.txt"
refuse "option --steps: bad value '0'" --steps 0 "$here/small.txt"
refuse "option --dims: bad value '2by1'" --dims 2by1 "$here/small.txt"
refuse "dims 3x1 is not 1 ranks" --dims 3x1 "$here/small.txt"
refuse "cannot make the output directory $work/none/out" "$here/small.txt" --output "$work/none/out"

# With several ranks the message comes once, and all of them end.
# refuse_all RANKS PATTERN ARGUMENTS...
refuse_all() {
  local ranks=$1 pattern=$2
  shift 2
  if seismic "$ranks" --output "$work/out" "$@" >"$work/log" 2>&1; then fail "accepted: $pattern"; fi
  [ "$(grep -cE "$pattern" "$work/log")" = 1 ] || { cat "$work/log" >&2; fail "not one message: $pattern"; }
}
refuse_all 3 "cannot read $work/none.txt: No such file" "$work/none.txt"
refuse_all 2 "bad.txt:.* key 'name': '../rock' is not a name" "$work/bad.txt"
sed -e 's/nx=61/nx=20/' -e '/^station/d' -e 's/^source.*/source x=4000 y=4000 z=4000 moment=1 duration=1/' \
  "$here/small.txt" >"$work/narrow.txt"
refuse_all 6 "20 cells along x cannot be cut for 6 ranks" --dims 6x1 "$work/narrow.txt"
