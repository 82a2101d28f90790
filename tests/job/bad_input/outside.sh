#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# outside.sh SKEIN PROGRAM: MPI calls before MPI_Init or after MPI_Finalize end the job with the name of the call, however
# errors are to be handled; those that the standard allows then work. PROGRAM is tests/programs/outside.c.
set -euo pipefail
skein=$1 program=$2
failures=0
calls=$("$skein" run -p 1 -n 1 "$program" list)
for call in $calls; do
  for when in "before MPI_Init" "after MPI_Finalize"; do
    status=0
    told=$("$skein" run -p 1 -n 2 "$program" "$call" "${when%% *}" 2>&1) || status=$?
    if ((status != 1)) || [[ $told != *"rank "[01]" on PE 0: $call was called $when"* ]]; then
      echo "FAILED: $call $when: exit status $status: $told" >&2
      failures=$((failures + 1))
    fi
  done
done
[[ $("$skein" run -p 2 -n 3 "$program" allowed) == allowed ]] || failures=$((failures + 1))
echo "$(wc -w <<<"$calls") calls, $failures failures"
((failures == 0))
