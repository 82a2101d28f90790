#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# outside.sh SKEIN PROGRAM: MPI calls before MPI_Init or after MPI_Finalize end the job with the name of the call,
# whatever the error handler; the calls that the standard allows then work. PROGRAM is tests/programs/outside.c.
set -euo pipefail
skein=$1 program=$2
failures=0 turn=0
calls=$("$skein" run -p 1 -n 1 "$program" list)
# Each call is made in one of the two ways, in turn, as one check serves both.
for call in $calls; do
  ((turn++ % 2)) && when="after MPI_Finalize" || when="before MPI_Init"
  status=0
  told=$("$skein" run -p 1 -n 2 "$program" "$call" "${when%% *}" 2>&1) || status=$?
  if ((status != 1)) || [[ $told != *"rank "[01]" on PE 0: $call was called $when"* ]]; then
    echo "FAILED: $call $when: exit status $status: $told" >&2
    failures=$((failures + 1))
  fi
done
[[ $("$skein" run -p 2 -n 3 "$program" allowed) == allowed ]] || failures=$((failures + 1))
echo "$(wc -w <<<"$calls") calls, $failures failures"
((failures == 0))
