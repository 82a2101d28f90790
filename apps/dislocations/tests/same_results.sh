#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All nodes are bitwise the same on any number of processes, wherever the borders of their domains are, and as virtual ranks
# that are moved at every step. The fingerprint is of every digit of all places, and of what is linked to what. Called with
# the skein command behind the usual arguments.
source "$(dirname "$0")/common.sh"
skein=$3

alone=$(dislocations 1 | value fingerprint)
[[ $alone =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
# same WHAT COMMAND...
same() {
  local out
  out=$("${@:2}" 2>"$work/stderr") || { cat "$work/stderr"; fail "$1: it failed"; }
  [[ $(value fingerprint <<<"$out") == "$alone" ]] || fail "$1: other nodes than on one process"
}
for processes in 2 4; do
  for partition in none sections advisor; do
    same "$processes processes, $partition" dislocations "$processes" --partition "$partition" --balance 4
  done
done
same "slabs" dislocations 3 --dims 3x1x1 --balance 1 --calipers evaluations
same "columns" dislocations 4 --dims 1x2x2 --balance 1
for ranks in 1 3 8; do
  same "$ranks ranks" "$skein" run -p 2 -n "$ranks" --lb rotate --lb-period 1 "$programs/dislocations_ranks" "${run[@]}" --migrate 1 --balance 4
  (($ranks == 1)) || grep -q 'LB moved [1-9]' "$work/stderr" || { cat "$work/stderr"; fail "no rank was moved"; }
done
[[ $(dislocations 1 --seed 2 | value fingerprint) != "$alone" ]] || fail "the fingerprint shows no difference"
