#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# particles_test.sh PROGRAM MPIEXEC PROCESSES: following advice changes who computes what, and no result. The program counts
# the pairs that each process looks at, which does not depend on how busy the machine is.
set -euo pipefail
program=$1 mpiexec=$2 processes=$3

alone=$("$mpiexec" -n 1 "$program" | grep positions)
plain=$("$mpiexec" -n "$processes" "$program")
advised=$("$mpiexec" -n "$processes" "$program" --advise 10)
echo "$plain"
echo "$advised"

positions() { grep positions <<<"$1"; }
imbalance() { sed -n 's/^imbalance of the pairs looked at: \(.*\) %/\1/p' <<<"$1"; }
[[ $(positions "$plain") == "$alone" ]] || { echo "FAILED: the decomposition changes the positions" >&2; exit 1; }
[[ $(positions "$advised") == "$alone" ]] || { echo "FAILED: following advice changes the positions" >&2; exit 1; }
awk "BEGIN { exit !($(imbalance "$advised") < $(imbalance "$plain") / 2) }" ||
  { echo "FAILED: following advice did not halve the imbalance" >&2; exit 1; }
