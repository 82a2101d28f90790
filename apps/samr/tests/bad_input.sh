#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong is said, and the exit status is not 0.
source "$(dirname "$0")/common.sh"

refused samr --nonsense --nonsense
refused samr tube --scenario tube
refused samr "is odd" --cells 9
refused samr "more than a block" --cells 4 --adapt 100
refused samr --levels --levels 0
refused samr --roots --roots 3
refused samr "cannot be written to $0/cells" --steps 1 --levels 1 --write "$0/cells"
[[ $(samr 2 --help) == *"--scenario"* ]] || fail "--help does not help"
