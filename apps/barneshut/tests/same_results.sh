#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All bodies are bitwise the same on any number of processes, however pieces are cut and given to processes, and as virtual
# ranks that are moved at random. The fingerprint is of every digit of all places, velocities and accelerations. Called with
# the skein command behind the usual arguments.
source "$(dirname "$0")/common.sh"
skein=$3

run=(--bodies 1500 --steps 24 --time-step 0.02 --balance 4 --report 12)
# start_with SCENARIO: the bodies that all others are to have.
start_with() {
  scenario=$1
  alone=$(barneshut 1 "${run[@]}" --scenario "$scenario" | value fingerprint)
  [[ $alone =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
}
# same WHAT COMMAND...
same() {
  local out
  out=$("${@:2}" "${run[@]}" --scenario "$scenario" 2>"$work/stderr") || { cat "$work/stderr"; fail "$scenario, $1: it failed"; }
  [[ $(value fingerprint <<<"$out") == "$alone" ]] || fail "$scenario, $1: other bodies than on one process"
}
# moved RANKS PARTITION: at random, between steps that balance and others.
moved() {
  same "$1 ranks moved at random, $2" \
    "$skein" run -p 2 -n "$1" --lb random --lb-period 1 "$programs/barneshut_ranks" --migrate 3 --partition "$2"
  (($1 == 1)) || grep -q 'LB moved [1-9]' "$work/stderr" || { cat "$work/stderr"; fail "no rank was moved"; }
}

start_with plummer
same "4 processes" barneshut 4
moved 4 orb

start_with collision
for processes in 2 4 8; do
  for partition in none costzones orb advisor; do
    same "$processes processes, $partition" barneshut "$processes" --partition "$partition"
  done
done
same "other pieces" barneshut 3 --pieces 1000
same "one piece" barneshut 3 --pieces 1
for ranks in 1 2 4 8; do moved "$ranks" costzones; done
moved 8 none
moved 8 orb
[[ $(barneshut 1 "${run[@]}" --scenario collision --seed 2 | value fingerprint) != "$alone" ]] || fail "the fingerprint shows no difference"
