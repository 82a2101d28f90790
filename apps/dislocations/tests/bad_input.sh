#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong is said, once, and the exit status is not 0.
source "$(dirname "$0")/common.sh"

for program in dislocations dislocations_native; do
  refused $program --nonsense --nonsense
  refused $program junctions --scenario junctions
  refused $program "not in range" --poisson 0.6
  refused $program "3 or more where the box is periodic" --cells 2
  refused $program "fewer cells or a larger --side" --cells 20
  refused $program "more than a third of --longest" --shortest 30
  [[ $(start $program 2 --help) == *"--scenario"* ]] || fail "--help does not help"
done
refused dislocations "none" --partition best
refused dislocations "product has to be that" --dims 3x1x1
refused dislocations "cannot be written to $0/loads" --loads "$0/loads"
refused dislocations "cannot be written to $0/out" --sources 1 --steps 0 --write "$0/out"
# More processes than sources are no mistake.
few=(--sources 1 --side 2000 --steps 6)
[[ $(start dislocations 5 "${few[@]}" | value fingerprint) == $(start dislocations 1 "${few[@]}" | value fingerprint) ]] || fail "5 processes, 1 source"

refused_advice dislocations_ranks --partition advisor
