#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All cells are bitwise the same on any number of PEs and wherever blocks move. The fingerprint is of every digit.
source "$(dirname "$0")/common.sh"

for scenario in bubble blobs; do
  run() { samr "$1" --scenario $scenario --cells 8 --levels 3 --steps 60 --sync 1 "${@:2}" 2>"$work/stderr" | value fingerprint; }
  alone=$(run 1)
  [[ $alone =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
  for pes in 2 3; do
    for lb in "" --skein.lb=random --skein.lb=greedy --skein.lb=refine-comm; do
      [[ $(run "$pes" ${lb:+"$lb" --skein.lb-period=1}) == "$alone" ]] || fail "$scenario, $pes PEs, ${lb:-no balancing}: others"
      if [[ $lb == --skein.lb=random ]]; then
        grep -q 'LB moved [1-9]' "$work/stderr" || fail "nothing was moved"
      fi
    done
  done
  # Blocks made between two LB steps take part in the next.
  [[ $(run 2 --skein.lb=random --skein.lb-period=3) == "$alone" ]] || fail "$scenario, every third sync point: others"
done
