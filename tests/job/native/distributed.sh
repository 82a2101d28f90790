#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# distributed.sh MPIEXEC PROGRAM: a distributed strategy places elements as it does on the snapshot of all, on
# which a memory limit, however large, makes it decide. With an automatic period the first step only measures.
set -euo pipefail
mpiexec=$1 program=$2

# run PES OPTION...: prints the program's output and the closing lines. PEs count as alike, however busy their cores are.
run() {
  timeout 60 "$mpiexec" -n "$1" "$program" "${@:2}" --skein.lb-period="$period" --skein.pe-speed=uniform 2>&1 || true
}
period=1
fail() {
  printf 'FAILED: %s\n%s\n' "$1" "$2" >&2
  exit 1
}

for pes in 1 2 3 7; do
  for lb in diffusion diffusion:graph=comm diffusion:graph=hypercube gossip; do
    own=$(run "$pes" --own --skein.lb="$lb")
    central=$(run "$pes" --skein.lb="$lb" --skein.lb-memory=1000G)
    [[ $own == *passed* && $central == *passed* ]] || fail "$lb on $pes PEs" "$own"$'\n'"$central"
    [[ $(grep '^places' <<<"$own") == "$(grep '^places' <<<"$central")" ]] ||
      fail "$lb on $pes PEs: other places than on the snapshot of all" "$own"$'\n'"$central"
    ((pes == 1)) || grep -Eq 'LB moved [1-9]' <<<"$own" || fail "$lb on $pes PEs moved nothing: this shows nothing" "$own"
  done
done

report=$(mktemp)
trap 'rm -f "$report"' EXIT
period=auto
for pes in 2 3; do
  said=$(run "$pes" --own --skein.lb=diffusion --skein.lb-report="$report")
  [[ $said == *passed* ]] || fail "an automatic period on $pes PEs" "$said"
  strategies=$(sed -n 's/.*"step":.*"strategy":"\([^"]*\)".*/\1/p' "$report")
  [[ $strategies == none* ]] || fail "an automatic period on $pes PEs: the first step moves" "$(cat "$report")"
done
