#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Mistakes are reported before anything runs, and the exit status is not 0.
source "$(dirname "$0")/common.sh"

refused samr --nonsense --nonsense
refused samr tube --problem tube
refused samr --levels --levels 0
refused samr "2^22 cells" --cells 4096,4,4 --levels 12 --greatest 4096
refused samr "33 is odd" --cells 33,4,4
refused samr "15 is odd" --greatest 15
refused samr GiB --cells 4096,4096,4096
refused samr "half a cell" --problem sedov --radius 0.001 --cells 16,16,16
refused samr "$0/cells cannot be written" --write "$0/cells"
refused samr "half a cell" --problem collapse --radius 0.001 --cells 16,16,16 --levels 1
refused samr "level 1 would take" --problem sedov --cells 16,16,16 --steepness 0.000001 --radius 0.5 --memory 0.001
refused samr "needs walls" --gravity 1
refused samr "--gas-share" --problem collapse --gas-share 0
refused samr "--gravity" --problem collapse --gravity -1
refused samr "$0/particles cannot be written" --problem pancake --write-particles "$0/particles"
# Levels that cannot be nested around what moves, boxes that cannot be cut, and nothing to refine.
refused samr "cannot stay nested" --buffer 0 --levels 2
refused samr "at least 2, or a smaller --courant" --buffer 1
refused samr "at least 30" --least 16 --greatest 16
refused samr "--greatest" --greatest 2
refused samr "3 is odd" --least 3
refused samr "nothing that is refined" --problem pancake --levels 2
# Options that contradict the problem, or each other.
refused samr "the problem is sod, and this is of shockpool3d" --problem sod --mach 2
refused samr "the problem is sedov, and this is of shockpool3d" --problem sedov --cells 16,16,16 --radius 0.1 --tilt 3
refused samr "the problem is sod, and this is of sedov and collapse" --problem sod --radius 0.1
refused samr "--gas-share is 1" --problem sod --write-particles "$work/particles"
refused samr "cells or particles is the same" --problem sod --write "$work/all" --write-slices "$work/all"
refused samr "$0/slices cannot be written" --write-slices "$0/slices"
refused samr "cannot be written to /dev/full" --problem sod --cells 8,4,4 --levels 1 --steps 1 --write-slices /dev/full
refused samr "the same file" --problem pancake --write "$work/all" --write-particles "$work/all"
# Output.
refused samr "Is a directory" --write "$work"
refused samr "No such file or directory" --write "$work/missing/cells"
refused samr "131072 x 131072 pixels" --problem sod --cells 64,64,4 --levels 12 --memory 1 --write "$work/cells.ppm"
refused samr "cannot be written to /dev/full" --problem sod --cells 8,4,4 --levels 1 --steps 1 --write /dev/full
# The extreme values that are possible.
for possible in '--buffer 1 --levels 2' '--buffer 1 --courant 0.5' '--least 4 --greatest 6' '--least 8 --greatest 4 --levels 1'; do
  # shellcheck disable=SC2086
  samr 1 --problem sod --cells 8,4,4 --steps 1 $possible >"$work/out" 2>&1 || fail "$possible: $(<"$work/out")"
done
# Scenario files.
refused samr missing.ini --scenario "$work/missing.ini"
scenario() { printf '%s\n' "$@" >"$work/scenario.ini"; }
scenario 'level = 3'
refused samr level --scenario "$work/scenario.ini"
scenario 'cells = 32,32'
refused samr cells --scenario "$work/scenario.ini"
scenario 'efficiency = 2'
refused samr efficiency --scenario "$work/scenario.ini"
scenario 'problem = pool'
refused samr pool --scenario "$work/scenario.ini"
scenario 'levels = many'
refused samr levels --scenario "$work/scenario.ini"
scenario 'problem = sod' 'tilt = 5'
refused samr "this is of shockpool3d" --scenario "$work/scenario.ini"
scenario 'problem = sod' 'buffer = 1'
refused samr "cannot stay nested" --scenario "$work/scenario.ini"
head -c 300 /dev/urandom >"$work/scenario.ini"
refused samr "not able to parse" --scenario "$work/scenario.ini"
refused samr "not readable" --scenario "$work"
[[ $(samr 2 --help) == *"--problem"* ]] || fail "--help does not help"
