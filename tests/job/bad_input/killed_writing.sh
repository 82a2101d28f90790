#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# killed_writing.sh SKEIN PROGRAM PES: a PE that is killed in the middle of a message ends the job like any PE that is
# killed; no PE receives the half message, and no process remains. PROGRAM is tests/programs/killed_writing.c.
set -euo pipefail
skein=$1 program=$2 pes=$3
failures=0
complain() {
  printf 'FAILED: %s\n' "$@" >&2
  failures=$((failures + 1))
}
for transport in memory mpi; do
  token=skein-killed-writing-$$-$transport
  status=0
  told=$("$skein" run -p "$pes" -n "$pes" --transport "$transport" "$program" "$token" 2>&1) || status=$?
  # 137 from Open MPI's launcher, 9 from MPICH's.
  [[ $status == 137 || $status == 9 ]] || complain "$transport: exit status $status"
  [[ $told == *'PE 1, process '*' died '*'somebody has killed it'* ]] || complain "$transport: it was not told: $told"
  [[ $told == *'the whole ones have come'* ]] || complain "$transport: the messages before it did not come: $told"
  [[ $told != *'half a message'* ]] || complain "$transport: half a message was received"
  for ((tries = 0; tries < 100; ++tries)); do
    pgrep -f -- "$token" >/dev/null || break
    sleep 0.1
  done
  ((tries < 100)) || complain "$transport: a process is left behind: $(pgrep -af -- "$token")"
done
((failures == 0))
