#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes.sh MPIEXEC MODES PROGRAM OPTION...: the program, which checks its own results, in each of these modes of deciding,
# which are separated by spaces, with 1, 2 and 3 PEs beside those that are reserved; where a thread decides, on 2, 3 and 4.
# All must pass. Elements move where LB steps are waited for; else they may.
set -uo pipefail
mpiexec=$1 modes=$2 program=$3
shift 3
failed=0

for mode in $modes; do
  moved=--moved
  [[ $mode != lazy* || $mode == *always* ]] || moved=--may-move
  reserved=1
  [[ ! $mode =~ pes=([0-9]+) ]] || reserved=${BASH_REMATCH[1]}
  for pes in $((reserved + 1)) $((reserved + 2)) $((reserved + 3)); do
    said=$(timeout 60 "$mpiexec" -n "$pes" "$program" "$@" "$moved" --skein.lb-mode="$mode" 2>&1)
    status=$?
    if ((status != 0)) || [[ $said != *passed* ]]; then
      printf '%s on %s PEs: status %s\n%s\n' "$mode" "$pes" "$status" "$said"
      failed=1
    fi
  done
done
exit $failed
