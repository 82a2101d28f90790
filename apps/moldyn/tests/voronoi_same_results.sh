#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All atoms of the wire are bitwise the same on any number of processes, wherever centres are and however they move, and as
# virtual ranks that are moved at random. The fingerprint is of every digit of all places, velocities and forces. And counted work
# and time are the same in each run. Called with the skein command behind the usual arguments.
source "$(dirname "$0")/common.sh"
skein=$3

run=("${wire[@]}" --steps 40 --report 20 --temperature 0.2)
alone=$(voronoi 1 "${run[@]}" | value fingerprint)
[[ $alone =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
# same WHAT COMMAND...: leaves its output in $out.
same() {
  out=$("${@:2}" "${run[@]}" 2>"$work/stderr") || { cat "$work/stderr"; fail "$1: it failed"; }
  [[ $(value fingerprint <<<"$out") == "$alone" ]] || fail "$1: other atoms than on one process"
}
# ranks N GRID OPTION...
ranks() {
  same "$1 ranks moved at random, $*" "$skein" run -p 2 -n "$1" --lb random --lb-period 1 "$programs/moldyn_voronoi_ranks" --grid "${@:2}"
  grep -q 'LB moved [1-9]' "$work/stderr" || { cat "$work/stderr"; fail "no rank was moved"; }
}

same "3 processes" voronoi 3 --grid 1x3 --balance none
for balance in diffusive global model; do
  for by in molecules barriers forces; do same "4 processes, $balance by $by" voronoi 4 --grid 2x2 --jitter 0.4 --balance $balance --by $by; done
done
same "8 processes, some without atoms" voronoi 8 --grid 2x4 --frame 1 --skew 2
counted=$(grep '^counted\|^work\|^interval' <<<"$out")
ranks 8 2x4 --frame 1 --skew 2
[[ $(grep '^counted\|^work\|^interval' <<<"$out") == "$counted" ]] || fail "another time, or other work, is counted for ranks"
ranks 5 1x5 --jitter 0.3 --balance global
ranks 16 4x4 --by barriers
[[ $(voronoi 1 "${run[@]}" --seed 2 | value fingerprint) != "$alone" ]] || fail "the fingerprint shows no difference"
