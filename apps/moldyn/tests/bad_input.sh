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
refused moldyn_voronoi --nonsense --nonsense
refused moldyn_voronoi "only the wire" --scenario droplet
refused moldyn_voronoi "12 centres, but there are 2 processes" --grid 3x4
refused moldyn_voronoi volume --balance volume
refused moldyn_voronoi "there are no atoms" --radius 0
refused moldyn_voronoi "use a larger --margin" --box 40,20,20 --radius 3 --margin 0.01 --temperature 20
refused moldyn_voronoi "cannot be written to $0/atoms" --box 40,20,20 --radius 3 --steps 0 --write "$0/atoms"
[[ $(moldyn 2 --help) == *"--scenario"* ]] || fail "--help does not help"
