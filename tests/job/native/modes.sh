#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes.sh MPIEXEC MODES PES PROGRAM OPTION...: the program, which checks its own results, in each of these modes of deciding,
# with each of these numbers of PEs beside the reserved ones; where a thread decides, with one more. Both lists are separated
# by spaces. All runs must pass. Elements move where LB steps are waited for; else, or with --may-move, they may move: in a
# program of few steps every decision may be dropped, because loads have changed by then.
set -uo pipefail
mpiexec=$1 modes=$2 counts=$3 program=$4
shift 4
failed=0

for mode in $modes; do
  moved=--moved
  [[ $mode != lazy* || $mode == *always* ]] || moved=--may-move
  [[ " $* " != *" --may-move "* ]] || moved=--may-move
  reserved=1
  [[ ! $mode =~ pes=([0-9]+) ]] || reserved=${BASH_REMATCH[1]}
  for count in $counts; do
    pes=$((reserved + count))
    said=$(timeout 60 "$mpiexec" -n "$pes" "$program" "$@" "$moved" --skein.lb-mode="$mode" 2>&1)
    status=$?
    if ((status != 0)) || [[ $said != *passed* ]]; then
      printf '%s on %s PEs: status %s\n%s\n' "$mode" "$pes" "$status" "$said"
      failed=1
    fi
  done
done
exit $failed
