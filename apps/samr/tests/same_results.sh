#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All cells are bitwise equal on any number of PEs, wherever grids move, and however they are split.
# same_results.sh FOLDER MPIEXEC PLUGIN, a library with the strategy cut-and-gather, which cuts all grids into three parts in one
# LB step, and brings all to one PE in the next.
source "$(dirname "$0")/common.sh"
cut_and_gather=$3:cut-and-gather

# Sets fingerprint and parts.
run() {
  local out
  out=$(samr "$@" 2>"$work/stderr") || fail "$*: $(<"$work/stderr")"
  fingerprint=$(value fingerprint <<<"$out")
  mass=$(value 'change of the mass' <<<"$out")
  if [[ $* != *shockpool* && $* == *--problem* ]]; then holds "$mass < 1e-12 && $mass > -1e-12" || fail "$*: the mass changes by $mass"; fi
  parts=$(sed -n 's/.*parts of divided ones: //p' <<<"$out")
}

# alone OPTION...: runs the problem on one PE and without a strategy.
alone() {
  options=("$@")
  run 1 "$@"
  alone=$fingerprint
  [[ $alone =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
  [[ $parts == 0 ]] || fail "$*: parts without a strategy"
}
# same PES STRATEGY PERIOD
same() {
  run "$1" "${options[@]}" --skein.lb="$2" --skein.lb-period="$3"
  [[ $fingerprint == "$alone" ]] || fail "${options[*]}, $*: others"
  if [[ $2 == random ]]; then grep -q 'LB moved [1-9]' "$work/stderr" || fail "nothing was moved"; fi
  if [[ $2 == "$cut_and_gather" ]] && ((parts < 3)); then fail "${options[*]}, $*: nothing was split"; fi
}

alone --problem sedov --cells 16,16,16 --levels 3 --radius 0.03 --greatest 8 --steps 3
same 1 "$cut_and_gather" 1
same 2 none 1
same 2 greedy 1
same 2 "$cut_and_gather" 1
same 2 "$cut_and_gather" 2 # parts that are moved between being made and being merged
same 3 random 1
same 3 "$cut_and_gather" 1

alone --cells 16,16,16 --levels 3 --greatest 16 --steps 2
same 2 move-split 1
same 2 move-split:by_level=1 1
same 3 "$cut_and_gather" 1

# Gravity, and particles that change levels and are divided with their grids.
alone --problem amr64 --cells 16,16,16 --levels 3 --greatest 8 --steps 2
same 1 "$cut_and_gather" 1
same 2 move-split 1
same 3 "$cut_and_gather" 1
