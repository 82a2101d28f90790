#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong is said before anything runs, and the exit status is not 0.
source "$(dirname "$0")/common.sh"

refused amr --nonsense --nonsense
refused amr tube --problem tube
refused amr --levels --levels 0
refused amr "2^22 cells" --cells 4096,4,4 --levels 12 --greatest 4096
refused amr "33 is odd" --cells 33,4,4
refused amr "15 is odd" --greatest 15
refused amr GiB --cells 4096,4096,4096
refused amr "half a cell" --problem sedov --radius 0.001 --cells 16,16,16
refused amr "$0/cells cannot be written" --write "$0/cells"
# Scenario files.
refused amr missing.ini --scenario "$work/missing.ini"
scenario() { printf '%s\n' "$@" >"$work/scenario.ini"; }
scenario 'level = 3'
refused amr level --scenario "$work/scenario.ini"
scenario 'cells = 32,32'
refused amr cells --scenario "$work/scenario.ini"
scenario 'efficiency = 2'
refused amr efficiency --scenario "$work/scenario.ini"
scenario 'problem = pool'
refused amr pool --scenario "$work/scenario.ini"
[[ $(amr 2 --help) == *"--problem"* ]] || fail "--help does not help"
