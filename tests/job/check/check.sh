#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check.sh SKEIN PROGRAM CASE: what --check reports of a case of tests/programs/misuse.c, with its ranks on one PE and on two.
set -euo pipefail
skein=$1 misuse=$2 case=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-check.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $case on $pes PEs: $*" >&2
  sed 's/^/    /' out >&2
  exit 1
}

# The line that must be there for each case (extended regular expressions); `sent` has two.
declare -A line=(
  [types]='rank 1 on PE .*MPI_Recv on halo of 4: the message from its rank 0, tag 5, is of MPI_DOUBLE \(16 bytes\), but received as MPI_INT'
  [buffered]='MPI_Recv on halo of 4: .* is of MPI_DOUBLE \(16 bytes\), but received as MPI_INT'
  [large]='MPI_Recv on halo of 4: .* is of MPI_DOUBLE \(524288 bytes\), but received as MPI_LONG'
  [derived]='MPI_Irecv on halo of 4: .* is of elements of several types \(24 bytes\), but received as elements of several types'
  [exchange]='rank 0 on PE .*MPI_Sendrecv_replace on halo of 4: .* is of MPI_LONG \(8 bytes\), but received as MPI_DOUBLE'
  [partitioned]='MPI_Precv_init on halo of 4: .* is of MPI_DOUBLE \(16 bytes\), but received as MPI_INT'
  [truncated]='rank 1 on PE .*MPI_Recv on halo of 4: the message from its rank 0, tag 5, has 32 bytes, 8 more than there is room for'
  [root]='communicator halo of 4: its rank [0-3] calls MPI_Bcast .*: the roots differ'
  [operation]='communicator halo of 4: .*MPI_Allreduce .*: the operations differ'
  [count]='communicator halo of 4: .*MPI_Bcast .*: counts or datatypes do not fit'
  [signature]='communicator halo of 4: .*MPI_Bcast .*: counts or datatypes do not fit'
  [pieces]='rank 0 on PE .*MPI_Gatherv on halo of 4: what rank 2 of the job sends is of MPI_FLOAT \(4 bytes\), but received as MPI_INT'
  [put]='rank 0 on PE .*MPI_Put on .* of 4, with its rank 1: elements of MPI_FLOAT are copied to what is of MPI_INT'
  [fence]='its rank [0-3] calls MPI_Win_(free|fence) .*its rank [0-3] calls MPI_Win_(fence|free) .*they are different calls'
  [request]='rank 3: MPI_Finalize: the request of MPI_Irecv on MPI_COMM_WORLD of 4 from its rank 0, tag 7, is not complete'
  [sent]='rank 3: MPI_Finalize: the request of MPI_Isend on MPI_COMM_WORLD of 4 to its rank 3, tag 7,'
  [persistent]='rank 3: MPI_Finalize: the request of MPI_Send_init on MPI_COMM_WORLD of 4 to its rank 0, tag 7, is persistent and was not freed'
  [datatype]='rank 3: MPI_Finalize: 3 datatypes were not freed .*MPI_Type_contiguous 2 times, MPI_Type_vector \(column\)'
  [communicator]='ranks 1, 3 .2 in all.: MPI_Finalize: 1 communicator was not freed .*MPI_Comm_split \(odd of 2\)'
  [window]='ranks 0-3 .4 in all.: MPI_Finalize: 1 window was not freed .*MPI_Win_create \(.* of 4\)'
  [file]='ranks 0-3 .4 in all.: MPI_Finalize: 1 file was not freed .*MPI_File_open \(of /dev/null on .* of 1\)'
  [everywhere]='ranks 0-3 .4 in all., 40 times, others with other numbers: MPI_Sendrecv on halo of 4: the message from its rank [0-3], tag [0-9], is of MPI_DOUBLE \(8 bytes\), but received as MPI_INT'
  [finalize]='rank 3: MPI_Finalize: 1 group was not freed .*MPI_Comm_group'
  [copied]='ranks 0-3 .4 in all.: MPI_Finalize: 1 communicator was not freed .*made by MPI_Comm_dup'
  [group]='rank 3: MPI_Finalize: 1 group was not freed .*MPI_Comm_group'
)
# The cases that change the exit status with --check=leaks only.
leaks=' persistent datatype communicator window file group finalize copied '
also='no receive has taken the message from rank 3 of MPI_COMM_WORLD of 4, tag 7, of 4 bytes \(MPI_INT\)'

for pes in 1 2; do
  status=0
  "$skein" run --check -p "$pes" -n 4 "$misuse" "$case" >out 2>&1 || status=$?
  if [[ $case == nothing ]]; then
    ((status == 0)) || fail "exit status $status"
    [[ ! -s out ]] || fail "something was said"
    continue
  fi
  if [[ $leaks == *" $case "* ]]; then
    ((status == 0)) || fail "exit status $status of leaks alone"
    status=0
    "$skein" run --check=leaks -p "$pes" -n 4 "$misuse" "$case" >/dev/null 2>&1 || status=$?
    ((status == 1)) || fail "exit status $status with --check=leaks"
    # A line for each kind, however many ranks and PEs there are, and one about the status.
    expected=2
    if [[ $case == communicator ]]; then expected=3; fi  # of two names
    lines=$(grep -c -- '--check: ' out)
    ((lines == expected)) || fail "$lines lines"
  else
    ((status != 0)) || fail "success"
  fi
  grep -qE -- "${line[$case]}" out || fail "no line like ${line[$case]}"
  if [[ $case == sent ]]; then grep -qE -- "$also" out || fail "no line like $also"; fi
done
echo "all as it should be"
