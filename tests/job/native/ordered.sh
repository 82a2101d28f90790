#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ordered.sh MPIEXEC PROGRAM: with --deterministic all results are in the order of the indices, wherever elements
# are. Without it, on 2 PEs, some are not, else this test could not fail.
set -uo pipefail
mpiexec=$1 program=$2
for pes in 1 2 3; do
  said=$(timeout 60 "$mpiexec" -n $pes "$program" --skein.deterministic --skein.lb=random --skein.lb-period=1) || exit 1
  if [[ $said == *anyhow* || $(grep -c 'in order' <<<"$said") -ne 9 ]]; then
    printf '%d PEs:\n%s\n' $pes "$said"
    exit 1
  fi
done
[[ $(timeout 60 "$mpiexec" -n 2 "$program") == *anyhow* ]]
