#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# disagree.sh SKEIN PROGRAM PES COUNT: the last of four ranks, or the upper half, makes another collective call than the
# others (tests/programs/coll/disagree.c), without --check. The job ends with a line that says who differs in what, or in
# a deadlock whose report names the roots.
set -uo pipefail
skein=$1 program=$2 pes=$3 count=$4
wrong=0

run() { timeout 60 "$skein" run -q --deadlock-after 1 -p "$pes" -n 4 "$program" "$@" 2>&1; }

# told TEXT CALL WHAT [half]. Who finds out first, and so is named first, is a matter of time.
told() {
  local text=$1 call=$2 what=$3 said
  if said=$(run "$call" "$what" "$count" "${@:4}"); then
    echo "$*: nobody was told"
    wrong=1
  elif ! grep -qE "$text" <<<"$said"; then
    printf '%s: this does not say "%s":\n%s\n' "$call $what" "$text" "$said"
    wrong=1
  fi
}

run MPI_Allreduce nothing "$count" || { echo "the right program fails"; exit 1; }

# In messages a root is no part of what is matched: the report of the deadlock names it, or who has sent in vain.
names='names root [03], its rank [0-3] names root [03] in'
waits='rank [0-3] on PE [0-3]: in .* (to|from) root [03],'
sent='its rank [0-3] has sent [0-9]+ bytes to its rank [0-3] in a collective call'
for call in Bcast Reduce Gather Gatherv Scatter Scatterv; do
  told "$names MPI_$call|$waits|$sent" "MPI_$call" root
  told "$names MPI_$call|$waits|$sent" "MPI_$call" root half
done
brings='brings [0-9]+ bytes, its rank [0-3] brings [0-9]+ bytes to'
sends='of MPI_COMM_WORLD sends [0-9]+ bytes to rank [0-3], which expects [0-9]+'
for call in Bcast Gatherv Scatter Allgather Alltoall; do
  told "$brings MPI_$call|$sends" "MPI_$call" more
  # Where those of the one length need no messages, and of the other do, they wait for each other.
  told "$brings MPI_$call|$sends|more than 8192 bytes|deadlock:" "MPI_$call" less half
done
told 'passes MPI_IN_PLACE to MPI_Alltoall, its rank [0-2] does not' MPI_Alltoall in_place
told 'passes MPI_IN_PLACE to MPI_Alltoall, its rank [01] does not' MPI_Alltoall in_place half
# What a reduction is made of goes with what the PEs of an assembly say to each other: where each rank is by itself on
# its PE, long ones have none.
if ((pes < 4 || count < 1000)); then
  kernel='names one operation or type in .*, its rank [0-3] another one of as many bytes'
  for what in type op; do
    for call in Reduce Allreduce Scan Reduce_scatter; do told "$kernel" "MPI_$call" "$what" half; done
  done
  told "$brings MPI_Allreduce|$sends" MPI_Allreduce less half
fi
# Nonblocking, of a few bytes.
if ((count < 100)); then
  told "$names MPI_Bcast" MPI_Ibcast root
  told "$names MPI_Reduce" MPI_Ireduce root half
  told "$brings MPI_Allreduce" MPI_Iallreduce less
  told "names one operation or type in MPI_Allreduce" MPI_Iallreduce op half
fi
exit "$wrong"
