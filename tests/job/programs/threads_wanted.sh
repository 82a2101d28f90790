#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# threads_wanted.sh SKEIN PROGRAM WAY...: in a job script for threads the program does all of its work; if it asks
# for threads itself, in one of these ways, the job ends with a message that names the option with which it runs.
set -euo pipefail
skein=$1 program=$2
shift 2
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-threads.XXXXXX")
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=4 OMP_PLACES=cores OMP_PROC_BIND=close

fail() {
  echo "FAILED: $*" >&2
  cat "$work/out" >&2
  exit 1
}
run() { "$skein" run -p 2 -n 4 --lb rotate --lb-period 1 "$@" >"$work/out" 2>&1; }

run "$program" none || fail "none: status $?"
grep -q "OMP_NUM_THREADS=4 counts as 1" "$work/out" || fail "nothing is said about OMP_NUM_THREADS"
(($(grep -c "MPI_THREAD_MULTIPLE is granted" "$work/out") == 1)) || fail "MPI_THREAD_MULTIPLE is not told of once"
for way in "$@"; do
  if [[ $way == dynamic ]]; then
    run "$program" dynamic || fail "dynamic: status $?"
    continue
  fi
  if run "$program" "$way"; then fail "$way: it ran"; fi
  grep -q "an OpenMP region asks for [24] threads by .*--threads=one" "$work/out" || fail "$way: no sentence about it"
  run --threads=one "$program" "$way" region || fail "$way with --threads=one: status $?"
done
