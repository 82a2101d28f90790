#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong is said before anything runs, and the exit status is not 0.
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
[[ $(samr 2 --help) == *"--problem"* ]] || fail "--help does not help"
