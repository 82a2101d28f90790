#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# native.sh MPIEXEC PROGRAM: a native program passes with two PEs on each of two nodes, its elements moved at random, and with
# three and one, unmoved.
set -euo pipefail
mpirun=$1 program=$2
source "$(dirname "$0")/nodes.sh"
make_nodes
cd "$scratch"

for slots_of_node in 2 3; do
  options=
  ((slots_of_node == 3)) || options="--skein.lb=random --skein.lb-period=1 --moved"
  # shellcheck disable=SC2046,SC2086
  said=$(in_node 1 $(mpiexec_of_nodes) -n 4 "$program" $options) || { echo "$options: status $?" >&2; exit 1; }
  [[ $said == *passed* ]] || { echo "$options: $said" >&2; exit 1; }
done
