#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# However blocks are split by rows, wherever parts go, and when they are merged again: all cells are bitwise those of whole
# blocks. divided.sh FOLDER MPIEXEC PLUGIN, a library with the strategy cut-and-gather, which cuts all into three parts in one
# LB step and brings all to one PE in the next.
source "$(dirname "$0")/common.sh"
cut_and_gather=$3:cut-and-gather

# Sets fingerprint and parts, the most that blocks had together.
run() {
  local out
  out=$(samr "$@" 2>"$work/stderr")
  fingerprint=$(value fingerprint <<<"$out")
  parts=$(value 'parts of divided blocks, at most' <<<"$out")
}

# Few large blocks, three of equal cost among them, which two PEs cannot share evenly; blocks that become finer and coarser
# while they are divided.
large=(--scenario bubble --roots 3,1 --cells 32 --levels 1 --steps 40 --adapt 4 --sync 1)
adapting=(--scenario blobs --roots 6,3 --cells 8 --levels 3 --steps 40 --adapt 2 --sync 1)
for mesh in large adapting; do
  declare -n options=$mesh
  run 1 "${options[@]}"
  alone=$fingerprint
  [[ $alone =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
  [[ $parts == 0 ]] || fail "$mesh: parts without a strategy"
  for pes in 1 2 3; do
    for lb in move-split random "$cut_and_gather"; do
      run "$pes" "${options[@]}" --skein.lb="$lb" --skein.lb-period=1
      [[ $fingerprint == "$alone" ]] || fail "$mesh, $pes PEs, $lb: others"
      # Elsewhere it depends on what was measured whether whole blocks are balanced within a row.
      if [[ $mesh == large && $pes == 2 && $lb == move-split ]] && ((parts < 2)); then fail "$mesh, $pes PEs, $lb: nothing was split"; fi
      if [[ $lb == "$cut_and_gather" ]] && ((parts < 3)); then fail "$mesh, $pes PEs, $lb: nothing was split"; fi
    done
    # Parts that are moved between being made and being merged.
    run "$pes" "${options[@]}" --skein.lb="$cut_and_gather" --skein.lb-period=2
    [[ $fingerprint == "$alone" ]] || fail "$mesh, $pes PEs, every second sync point: others"
  done
done
