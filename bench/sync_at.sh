#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/sync_at.sh [BUILD]: the cost of any collective being a possible LB step (--sync-at auto), in a program that has
# nothing to gain and makes 10^5 short collectives a second, beside the same without. BUILD is a build directory (default:
# build). Exit status 1 if a bound is missed, 2 if the table cannot be made.
#
# Runs with and without alternate, and the median of their ratios counts. The table compares processor time, of one PE, which
# waits for no other: a rank does the same at a candidate on several PEs.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/table.sh"
usage='[BUILD]'
use_build "$@"
program=$build/bench/mpi/frequent
rounds=${rounds-15}
pes=${pes-1}
microseconds=${microseconds-1}

# each_ns OPTION...: the time from one collective to the next.
each_ns() { "$skein" run -p "$pes" -n 8 "$@" "$program" 1 "$microseconds" | awk '{ print $3 }'; }

# ratio NAME BOUND OPTION...
ratio() {
  local name=$1 bound=$2 round with without ours
  shift 2
  for ((round = 0; round < rounds; ++round)); do
    if ((round % 2)); then
      with=$(each_ns "$@") without=$(each_ns "${plain[@]}")
    else
      without=$(each_ns "${plain[@]}") with=$(each_ns "$@")
    fi
    echo "$without" >>"$work/without"
    awk "BEGIN { print $with / $without }"
  done >"$work/ratios"
  ours=$(median <"$work/ratios")
  judge "$ours" "$bound"
  printf '%-44s %9s x   at most %5s  %s   (quartiles %s to %s, %s a second)\n' "$name" "$(awk "BEGIN { printf \"%.4f\", $ours }")" \
    "$bound" "$verdict" "$(sort -g "$work/ratios" | sed -n "$((rounds / 4 + 1))p")" \
    "$(sort -g "$work/ratios" | sed -n "$((rounds - rounds / 4))p")" "$(awk "BEGIN { printf \"%.0f\", 1e9 / $(median <"$work/without") }")"
}

plain=(--lb greedy-refine --sync-at none)
ratio 'the same again' 1.01 --lb greedy-refine --sync-at none
ratio 'passing candidates, no step due' 1.01 --lb greedy-refine --lb-period 1000s
ratio '--lb greedy-refine' 1.01 --lb greedy-refine
plain=(--lb auto --sync-at none)
ratio '--lb auto' 1.01 --lb auto
((missed == 0))
