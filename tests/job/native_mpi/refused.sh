#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# refused.sh MPIEXEC PROGRAM SKEIN: a job that cannot start says why, and the program goes on if it can.
set -uo pipefail
mpiexec=$1 program=$2 skein=$3
failed=0
source "$(dirname "${BASH_SOURCE[0]}")/../../failing_job.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

complain() {
  printf '%s\n' "$@"
  failed=1
}

# run PES CASE [OPTION...]: sets said and status.
run() {
  local pes=$1
  shift
  said=$(run_failing "$mpiexec" -n "$pes" "$program" "$@" 2>&1)
  status=$?
}

# refused PES TEXT CASE [OPTION...]: no job starts, and another one follows if the program says so.
refused() {
  local pes=$1 text=$2
  shift 2
  run "$pes" "$@"
  [[ $status == 2 ]] || complain "$*: status $status, said: $said"
  [[ $said == *"$text"* ]] || complain "$*: does not say '$text' but: $said"
}
goes_on() { [[ $said == *'the next job is run'* ]] || complain "no next job: $said"; }

# ends TEXT CASE: the whole program ends.
ends() {
  local text=$1
  shift
  run 2 "$@"
  ((status != 0 && status != 2 && status != 124)) || complain "$*: status $status, said: $said"
  [[ $said == *"$text"* && $said != *'the next job is run'* ]] || complain "$*: does not say '$text' but: $said"
}

refused 2 'skein::run was given MPI_COMM_NULL' null && goes_on
refused 2 'skein::run was given an intercommunicator' intercommunicator && goes_on
refused 1 'skein::run was given a communicator before MPI_Init()' early
refused 1 'skein::run was called after MPI_Finalize()' late
refused 1 'skein::run was called after MPI_Finalize()' never
refused 2 'nonsense' options --skein.lb=nonsense && goes_on
refused 2 'were given different options: PE 0 "", PE 1 "--lb=greedy ' different && goes_on
refused 2 'there are 2: leave it out' options --skein.pes=5 && goes_on
refused 2 'has elements and no virtual MPI ranks' options --skein.ranks=8 && goes_on
refused 2 'bound by its launcher' options --skein.bind=core && goes_on
refused 1 '1 of 1 PEs are reserved for deciding' options --skein.lb=greedy --skein.lb-mode=decoupled:reserved
refused 2 'less than MPI_THREAD_FUNNELED' options --skein.lb=greedy --skein.lb-period=1 --skein.lb-mode=lazy && goes_on
refused 3 'less than MPI_THREAD_MULTIPLE' funneled --skein.lb=rcb --skein.lb-period=1 --skein.lb-mode=lazy:pes=2 && goes_on

for mode in inline decoupled lazy lazy:thread; do
  run 3 funneled --skein.lb=random --skein.lb-period=1 --skein.lb-mode=$mode
  [[ $status == 0 ]] || complain "$mode: status $status"
  goes_on
done

ends 'Nested{0} in Nested::run: skein::run is called while a job of this process runs' nested
ends 'Failing{1} in Failing::fail: an exception ended it: as it was asked to' fails
for name in array element single section; do
  ends 'names an array of an earlier job of this program' old-$name
done
ends 'a value is set in a future of an earlier job of this program' old-future
ends 'a value is wanted of a future of an earlier job of this program' old-wanted
ends 'skein::exit is called outside of a job' exit

# The first two jobs, and the next, write files of one name.
run 2 twice --skein.lb=rotate --skein.lb-period=1 --skein.lb-report="$folder/run.json" --skein.trace="$folder/run.sktrace"
[[ $status == 0 ]] || complain "twice: status $status, said: $said"
for number in 2 3; do
  for name in json sktrace; do
    [[ -s $folder/run-$number.$name && $said == *"writes $folder/run-$number.$name instead of $folder/run.$name"* ]] ||
      complain "no run-$number.$name, or not told: $said"
  done
done

for how in "run -n 8" "exec -n 8"; do
  # shellcheck disable=SC2086
  said=$("$skein" $how "$program" options 2>&1)
  status=$?
  [[ $status == 2 && $said == *'it has elements and no virtual MPI ranks'* ]] || complain "skein $how: status $status, said: $said"
done
exit $failed
