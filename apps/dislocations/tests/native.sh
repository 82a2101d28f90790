#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The native program has bitwise the same nodes as the MPI program, on 1 to 3 PEs, wherever its elements move.
source "$(dirname "$0")/common.sh"

dislocations 2 --write "$work/mpi" >"$work/out"
expected=$(value fingerprint <"$work/out")
[[ $expected =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
# same PES OPTION...
same() {
  local out
  out=$(start dislocations_native "$1" "${run[@]}" "${@:2}" 2>"$work/stderr") || { cat "$work/stderr"; fail "$*: it failed"; }
  [[ $(value fingerprint <<<"$out") == "$expected" ]] || fail "$*: other nodes than the MPI program has"
}
same 1
for pes in 2 3; do
  same "$pes" --skein.lb=random --skein.lb-period=1 --write "$work/native"
  grep -q 'LB moved [1-9]' "$work/stderr" || fail "nothing was moved"
  cmp "$work/mpi" "$work/native" || fail "$pes: other segments are written"
done
same 2 --sync 7 --skein.lb=refine-comm --skein.lb-period=1
