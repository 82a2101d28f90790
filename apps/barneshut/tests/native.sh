#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The native program has bitwise the same bodies as the MPI program, on 1 to 4 PEs, wherever its elements move at whatever sync
# points.
source "$(dirname "$0")/common.sh"

run=(--bodies 1500 --steps 24 --time-step 0.02 --report 12)
# start_with SCENARIO: the bodies that all others are to have, in $work/mpi too.
start_with() {
  scenario=$1
  barneshut 2 "${run[@]}" --scenario "$scenario" --write "$work/mpi" >"$work/out"
  expected=$(value fingerprint <"$work/out")
  [[ $expected =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
}
# same PES OPTION...
same() {
  local out
  out=$(start barneshut_native "$1" "${run[@]}" --scenario "$scenario" "${@:2}" 2>"$work/stderr") || { cat "$work/stderr"; fail "$*: it failed"; }
  [[ $(value fingerprint <<<"$out") == "$expected" ]] || fail "$scenario, $*: other bodies than the MPI program has"
}
# moved PES OPTION...: at random, at every step.
moved() {
  same "$@" --skein.lb=random --skein.lb-period=1 --write "$work/native"
  (($1 == 1)) || grep -q 'LB moved [1-9]' "$work/stderr" || fail "nothing was moved"
  cmp "$work/mpi" "$work/native" || fail "$*: other bodies are written"
}

start_with plummer
same 2
moved 3

start_with collision
for pes in 1 2 3 4; do
  same "$pes"
  moved "$pes"
done
moved 2 --pieces 1000
same 3 --sync 5 --skein.lb=rotate --skein.lb-period=1
same 2 --skein.lb=refine-comm --skein.lb-period=4
same 3 --skein.lb=rcb --skein.lb-period=3
same 2 --pieces 1
same 3 --skein.lb=random --skein.lb-period=2 --skein.lb-mode=lazy:pes=1
