#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sync_at.sh SKEIN PROGRAM: a job without an LB step reports which calls it saw, and calls on parts of the world count if
# the user says so. PROGRAM is tests/programs/halves.c: 8 ranks in parts of 3 and 5.
set -euo pipefail
skein=$1 program=$2
failures=0

# says PATTERN SYNC_AT [TIMES]
says() {
  local told
  told=$("$skein" run -p 2 -n 8 --map round-robin --lb rotate --lb-period 1 --sync-at "$2" "$program" "${3:-20}" 2>&1) ||
    { echo "FAILED: exit status"; failures=$((failures + 1)); }
  if ! grep -qE -- "$1" <<<"$told" || ! grep -qx done <<<"$told"; then
    echo "FAILED: --sync-at $2: nothing like '$1' in: $told" >&2
    failures=$((failures + 1))
  fi
}

# Some of each PE's four ranks are in the part of 3: PE 0 has ranks 0, 2 (of 3) and 4, 6 (of 5).
says 'called MPI_Allreduce 40 times on communicators of 3, 40 times on communicators of 5 of the 8 ranks.*MPI_Allreduce:ranks=5' \
  MPI_Allreduce
says 'did not call MPI_Gather' MPI_Gather
says 'called MPI_Allreduce 80 times in all, and every 50 calls of a rank are a sync point' MPI_Allreduce:every=50,ranks=3
says 'LB rotate: 20 steps' MPI_Allreduce:ranks=3
says 'LB rotate: 4 steps' MPI_Allreduce:ranks=3,every=5
says 'LB moved 160 ranks' MPI_Allreduce:ranks=3
((failures == 0))
