#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# dead_stack.sh SKEIN PROGRAM: checks that the dead data of `own_stacks dead` on its stack, 4 MiB a rank, are not copied.
set -euo pipefail
skein=$1 program=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-dead.XXXXXX")
trap 'rm -rf "$work"' EXIT

"$skein" run -p 2 -n 4 --arena private --lb rotate --lb-period 1 --lb-report "$work/report" "$program" dead
# total FIELD: over all steps.
total() { grep -o "\"$1\":[0-9]*" "$work/report" | awk -F: '{ sum += $2 } END { print sum + 0 }'; }
copied=$(total bytes_copied) moves=$(total objects_moved)
if ((moves < 8 || copied < moves * 4096 || copied > moves * (1 << 20))); then
  echo "FAILED: $copied bytes were copied in $moves moves" >&2
  exit 1
fi
