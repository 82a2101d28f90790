#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong is said, by one PE, and the exit status is not 0.
source "$(dirname "$0")/common.sh"

refused moldyn --nonsense --nonsense
refused moldyn gas --scenario gas
refused moldyn "not in range" --time-step 1
refused moldyn --steps --steps many
refused moldyn "no room for 3 cells" --box 5,5,5
refused moldyn "less than the cutoff" --cell 2
refused moldyn "there are no atoms" --density 0 --outside 0
refused moldyn "use a larger --margin" --scenario liquid --box 10,10,10 --margin 0.01 --temperature 20 --cell 3
refused moldyn "cannot be written to $0/atoms" --scenario liquid --box 10,10,10 --steps 0 --cell 3 --write "$0/atoms"
[[ $(moldyn 2 --help) == *"--scenario"* ]] || fail "--help does not help"
