#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All cells are bitwise the same on any number of PEs, wherever grids move, and into whatever they are split.
# same_results.sh FOLDER MPIEXEC PLUGIN, a library with the strategy cut-and-gather, which cuts all into three parts in one LB step
# and brings all to one PE in the next.
source "$(dirname "$0")/common.sh"
cut_and_gather=$3:cut-and-gather

# Sets fingerprint and parts.
run() {
  local out
  out=$(amr "$@" 2>"$work/stderr") || fail "$*: $(<"$work/stderr")"
  fingerprint=$(value fingerprint <<<"$out")
  parts=$(sed -n 's/.*parts of divided ones: //p' <<<"$out")
}

sedov=(--problem sedov --cells 16,16,16 --levels 3 --radius 0.03 --greatest 8 --steps 3)
pool=(--cells 16,16,16 --levels 3 --greatest 16 --steps 2)
for problem in sedov pool; do
  declare -n options=$problem
  run 1 "${options[@]}"
  alone=$fingerprint
  [[ $alone =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
  [[ $parts == 0 ]] || fail "$problem: parts without a strategy"
  for how in "1 $cut_and_gather" "2 none" "2 random" "2 greedy" "2 move-split" "2 $cut_and_gather" "3 random" "3 $cut_and_gather"; do
    read -r pes lb <<<"$how"
    run "$pes" "${options[@]}" --skein.lb="$lb" --skein.lb-period=1
    [[ $fingerprint == "$alone" ]] || fail "$problem, $pes PEs, $lb: others"
    if [[ $lb == random ]]; then grep -q 'LB moved [1-9]' "$work/stderr" || fail "nothing was moved"; fi
    if [[ $lb == "$cut_and_gather" ]] && ((parts < 3)); then fail "$problem, $pes PEs: nothing was split"; fi
  done
  # Parts that are moved between being made and being merged.
  run 2 "${options[@]}" --skein.lb="$cut_and_gather" --skein.lb-period=2
  [[ $fingerprint == "$alone" ]] || fail "$problem, every second sync point: others"
done
