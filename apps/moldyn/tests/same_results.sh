#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The trajectory is bitwise the same on any number of PEs and wherever elements move. The fingerprint is of every digit of all
# places, velocities and forces.
source "$(dirname "$0")/common.sh"

run() { moldyn "$1" "${small[@]}" --steps 120 --settle 5 --sync 1 --report 40 "${@:2}" 2>"$work/stderr"; }
results() { sed '1d; s/ *[0-9.]*$//; /^time loop/d' <<<"$1" | grep -v '^momentum\|atoms in'; }

alone=$(run 1)
grep -q '^fingerprint: [0-9a-f]\{16\}$' <<<"$alone" || fail "there is no fingerprint"
for pes in 2 3; do
  for lb in "" --skein.lb=random --skein.lb=greedy --skein.lb=refine-comm; do
    out=$(run "$pes" ${lb:+"$lb" --skein.lb-period=1})
    [[ $(value fingerprint <<<"$out") == "$(value fingerprint <<<"$alone")" ]] ||
      fail "$pes PEs, ${lb:-no balancing}: another trajectory"
    if [[ $lb == --skein.lb=random ]]; then
      grep -q 'LB moved [1-9]' "$work/stderr" || fail "nothing was moved"
    fi
  done
done
[[ $(run 2 --seed 2 | value fingerprint) != "$(value fingerprint <<<"$alone")" ]] || fail "the fingerprint shows no difference"
