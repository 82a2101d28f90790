#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# disagree.sh SKEIN MPIEXEC PROGRAM: on two nodes the last of four ranks, each on a PE of its own, passes half as many
# elements to a collective call as the others (tests/programs/coll/disagree.c); the job ends with a message of who passes how
# many bytes.
set -euo pipefail
skein=$1 mpirun=$2 program=$3
source "$(dirname "$0")/nodes.sh"
make_nodes
cd "$scratch"

one='mismatched collectives on communicator MPI_COMM_WORLD of 4: its rank [0-3]'
errors="$one (brings|sends) .*[0-9]+ bytes, its rank|rank [0-3] of MPI_COMM_WORLD sends [0-9]+ bytes to rank [0-3], which expects [0-9]+"
unclear=0
for call in Bcast Reduce Allreduce Scan IAllgather; do
  if job -n 4 -q --deadlock-after 1 "$program" "$call" less 4000 >out 2>&1; then
    echo "$call: nobody was told"
    ((++unclear))
  fi
  wait_until_gone 10 || echo "$call: processes are left"
  lengths=$( (grep -oE 'with [0-9]+ bytes' out || true) | sort -u | wc -l)
  if grep -qE "$errors" out || { grep -q deadlock: out && ((lengths > 1)); }; then continue; fi
  echo "$call: this does not say who passes how many bytes:"
  cat out
  ((++unclear))
done
((unclear == 0))
