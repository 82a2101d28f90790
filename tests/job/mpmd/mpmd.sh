#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpmd.sh CASE MPIEXEC LIBRARY PROGRAM [TOOL]: programs under libskein_mpmd.so see only the processes of the application.
set -euo pipefail
case=$1 mpiexec=$2 library=$3 program=$4 tool=${5-}
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-mpmd.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  sed 's/^/    /' "$work/out" >&2
  exit 1
}
# run PROCESSES PRELOADED MODE COMMAND...: $work/out has the command's output, $status its exit status.
run() {
  local processes=$1 preloaded=$2 mode=$3
  shift 3
  status=0
  "$mpiexec" -n "$processes" env LD_PRELOAD="$preloaded" SKEIN_MPMD="$mode" "$@" >"$work/out" 2>&1 || status=$?
}
# check_world N: all N processes of the application saw the right world, and the reserved ones were reported once.
check_world() {
  ((status == 0)) || fail "exit status $status"
  [[ $(grep -c 'all as it should be' "$work/out") == "$1" ]] || fail "not all of $1 processes came to their end"
  [[ $(grep -c 'had nothing to decide' "$work/out") == 1 ]] || fail "not told once that nobody asked"
}
# refuses PATTERN PROCESSES MODE: the job ends with that message.
refuses() {
  run "$2" "$library" "$3" "$program" 1 "$work/file"
  ((status != 0)) || fail "SKEIN_MPMD=$3 was taken"
  [[ $(grep -cE "$1" "$work/out") == 1 ]] || fail "SKEIN_MPMD=$3 with $2 processes: not told once: $1"
}

case $case in
  world) # of one process, of several, with several reserved, with threads
    run 2 "$library" lazy:pes=1 "$program" 1 "$work/file"
    check_world 1
    run 4 "$library" lazy:pes=1 "$program" 3 "$work/file"
    check_world 3
    run 4 "$library" decoupled:reserved,pes=2 "$program" 2 "$work/file" thread
    check_world 2
    # The processes that decide belong to the application.
    run 3 "$library" decoupled:pes=2 "$program" 3 "$work/file"
    check_world 3
    ;;
  fortran)
    run 4 "$library" lazy:pes=1 "$program" 3
    check_world 3
    ;;
  abort)
    run 3 "$library" lazy:pes=1 "$program" 2 "$work/file" abort
    ((status == 7 || status == 1)) || fail "MPI_Abort(7) ended the job with status $status"
    # The launcher may be gone before the processes that it has ended.
    for ((tries = 0; tries < 100; ++tries)); do
      pgrep -f -- "$work/file" >/dev/null || exit 0
      sleep 0.1
    done
    fail "a process is left"
    ;;
  tool) # whose calls the tool counts: a reduction and a nonblocking send of each, by its own reductions over the same world
    orders=("$library")
    [[ -z $tool ]] || orders=("$library:$tool" "$tool:$library")
    for preloaded in "${orders[@]}"; do
      run 4 "$preloaded" lazy:pes=1 "$program" 3 "$work/file"
      check_world 3
      grep -q 'tool: 3 processes, 6 calls, 6 of them on all' "$work/out" || fail "what the tool saw, with $preloaded"
    done
    ;;
  bad_input)
    refuses 'reserves 2 of 2 processes.*mpirun -n.*pes=' 2 lazy:pes=2
    refuses 'reserves 9 of 2 processes' 2 decoupled:reserved,pes=9
    refuses 'lets 9 of 2 processes decide.*mpirun -n.*pes=' 2 decoupled:pes=9
    refuses "SKEIN_MPMD=lasy.*unknown mode 'lasy' .did you mean lazy.*; valid: inline, decoupled, lazy" 2 lasy
    refuses "SKEIN_MPMD=lazy:pse=1.*pse" 2 lazy:pse=1
    refuses 'lazy:thread.*lazy:pes=M' 2 lazy:thread
    status=0
    "$mpiexec" -n 1 env LD_PRELOAD="$library" SKEIN_MPMD=lazy "$program" 2 "$work/file" : \
      -n 1 env LD_PRELOAD="$library" SKEIN_MPMD=lazy:wait=3 "$program" 2 "$work/file" >"$work/out" 2>&1 || status=$?
    ((status != 0)) || fail "two modes in one job were taken"
    grep -q 'SKEIN_MPMD is not the same in all processes' "$work/out" || fail "two modes in one job: not told"
    # Nothing is reserved without a mode, which is reported, or inline.
    "$mpiexec" -n 2 env LD_PRELOAD="$library" "$program" 2 "$work/file" >"$work/out" 2>&1 || fail "without SKEIN_MPMD"
    [[ $(grep -c 'SKEIN_MPMD is not set' "$work/out") == 1 ]] || fail "not told once that SKEIN_MPMD is not set"
    run 2 "$library" inline "$program" 2 "$work/file"
    ((status == 0)) && [[ $(grep -c 'all as it should be' "$work/out") == 2 ]] || fail "inline"
    ;;
esac
