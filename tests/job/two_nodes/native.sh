#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# native.sh MPIEXEC PROGRAM: a native program passes with two PEs on each of two nodes, and with three and one,
# unmoved and with its elements moved at random.
set -euo pipefail
mpirun=$1 program=$2
source "$(dirname "$0")/nodes.sh"
make_nodes
cd "$scratch"

for slots_of_node in 2 3; do
  for options in "" "--skein.lb=random --skein.lb-period=1 --moved"; do
    # shellcheck disable=SC2046,SC2086
    said=$(in_node 1 $(mpiexec_of_nodes) -n 4 "$program" $options) || { echo "$options: status $?" >&2; exit 1; }
    [[ $said == *passed* ]] || { echo "$options: $said" >&2; exit 1; }
  done
done
