#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# disagree.sh SKEIN PROGRAM PES COUNT [PART PARTS]: the last of four ranks, or the upper half, makes another collective call
# than the others (tests/programs/coll/disagree.c), without --check. Each job ends with a line that says who differs in what,
# or in a deadlock whose report names the calls, and lengths where these differ. The script goes over all calls, blocking and
# nonblocking, and all differences; with PART, over every PARTS-th case of that table. Environment: SKEIN_PES_PER_NODE.
set -uo pipefail
skein=$1 program=$2 pes=$3 count=$4 part=${5:-0} parts=${6:-1}
number=0 starts=0 silent=0 unclear=0

run() { timeout 60 "$skein" run -q --deadlock-after 1 -p "$pes" -n 4 "$program" "$@" 2>&1; }

# told CALL WHAT TEXT: the job reports TEXT, in both forms, for the last rank and for half of the ranks. Which rank finds
# out first, and so is named first, is a matter of time.
told() {
  local form who said
  for form in "" I; do
    for who in "" half; do
      ((number++ % parts == part)) || continue
      ((++starts))
      # shellcheck disable=SC2086  # no word where it is the last rank
      if said=$(run "$form$1" "$2" "$count" $who); then
        echo "$form$1 $2 $who: nobody was told"
        ((++silent))
        continue
      fi
      if [[ $said == *deadlock:* ]]; then
        said+=$'\n'"the report names $(grep -oE 'with [0-9]+ bytes' <<<"$said" | sort -u | wc -l) lengths"
      fi
      if ! grep -qE "$3" <<<"$said"; then
        printf '%s: this does not say "%s":\n%s\n' "$form$1 $2 $who" "$3" "$said"
        ((++unclear))
      fi
    done
  done
}

run Allreduce nothing "$count" || { echo "the right program fails"; exit 1; }
run Iallreduce nothing "$count" || { echo "the right program fails"; exit 1; }

one='mismatched collectives on communicator MPI_COMM_WORLD of 4: its rank [0-3]'
# Messages do not match by root: the report of the deadlock names the root, or the rank that has sent in vain.
waits='rank [0-3] on PE [0-3]: in .* (to|from) root [03](,| with)'
sent="$one has sent [0-9]+ bytes to its rank [0-3] in MPI_[A-Za-z_]+"
sends='rank [0-3] of MPI_COMM_WORLD sends [0-9]+ bytes to rank [0-3], which expects [0-9]+'
brings="$one (brings|sends) .*[0-9]+ bytes, its rank [0-3]"
# If calls of one length need no messages and of the other do, they wait for each other.
stuck='deadlock:'
lengths='the report names [2-9] lengths'
for call in Bcast Reduce Gather Gatherv Scatter Scatterv; do
  told $call root "$one names root [03], its rank [0-3] names root [03] in MPI_$call|$waits|$sent"
done
more="$one sends more than 8192 bytes, its rank [0-3] expects [0-9]+"
for call in Bcast Reduce Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Allreduce Scan Exscan \
  Reduce_scatter Reduce_scatter_block; do
  told $call more "$brings|$sends|$sent|$more|$lengths"
  told $call less "$brings|$sends|$sent|$more|$lengths"
done
for call in Neighbor_allgather Neighbor_allgatherv Neighbor_alltoall Neighbor_alltoallv Neighbor_alltoallw Alltoallw; do
  told $call more "$brings|rank [0-3] of .* sends [0-9]+ bytes to rank [0-3], which expects [0-9]+"
  told $call less "$brings|rank [0-3] of .* sends [0-9]+ bytes to rank [0-3], which expects [0-9]+"
done
for call in Alltoall Alltoallv Alltoallw; do
  told $call in_place "$one passes MPI_IN_PLACE to (MPI_Alltoallv or )?MPI_$call.*, its rank [0-3] does not"
done
for call in Reduce Allreduce Scan Exscan Reduce_scatter Reduce_scatter_block; do
  sum='combines by MPI_SUM of MPI_INT'
  told $call op "$one ($sum|combines by MPI_MAX of MPI_INT), its rank [0-3] combines by .* in (MPI_|a reduce-scatter)"
  told $call type "$one ($sum|combines by MPI_SUM of MPI_FLOAT), its rank [0-3] combines by .* in (MPI_|a reduce-scatter)"
done
for call in Bcast Reduce Allreduce Scan Exscan Reduce_scatter Reduce_scatter_block Gather Gatherv Scatter Scatterv Allgather \
  Allgatherv Alltoall Alltoallv; do
  told $call call "$one is in (MPI_|a reduce-scatter).*, its rank [0-3] is in (MPI_|a reduce-scatter)|$sends|$sent|$stuck|$brings|$one makes another call|$one names (no root|root 0), its rank [0-3] names .*root"
done
echo "$starts of $number cases: $silent silent, $unclear told otherwise"
((silent + unclear == 0))
