#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# two_nodes.sh COMMAND [ARGUMENT...]: the command with $SKEIN_MPIEXEC set to start the PEs of `skein run` and of native
# programs on two nodes, which network namespaces make of this machine: one PE on each, TCP between them. As root, with
# Open MPI.
#
#   bench/two_nodes.sh python3 bench/accuracy.py measure --work accuracy.two-nodes
#   bench/two_nodes.sh bash -c 'start=$SKEIN_MPIEXEC; unset SKEIN_MPIEXEC
#     build/bin/skein calibrate -p 2 --start "$start -n 2" -o here.platform'
set -euo pipefail
if (($# == 0)); then
  sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
# Open MPI starts nothing for root without these variables. Each node takes all cores to be its own, and would bind its
# PE to the first.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 SKEIN_BIND=none OMP_NUM_THREADS=1
# Used by nodes.sh.
# shellcheck disable=SC2034
mpirun=$(command -v mpirun) slots_of_node=1
# shellcheck disable=SC2034
mpirun_options="--bind-to none -x SKEIN_BIND -x OMP_NUM_THREADS"
source "$(dirname "$0")/../tests/job/two_nodes/nodes.sh"
make_nodes
SKEIN_MPIEXEC=$(mpiexec_of_nodes) in_node 1 "$@"
