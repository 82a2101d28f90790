#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh SKEIN KNEIGHBOR STRATEGY: runs kneighbor on two PEs under the strategy, deciding every second step. It must
# have moved ranks, and the program's own checks must hold. Status 77 if the build lacks the library.
set -euo pipefail
skein=$1 kneighbor=$2 strategy=$3
report=$(mktemp)
trap 'rm -f "$report"' EXIT
if "$skein" info | grep -q "^ *$strategy needs"; then exit 77; fi
"$skein" run -p 2 -n 16 --lb "$strategy" --lb-period 2 --lb-report "$report" "$kneighbor" 6 1 500000
# Loads rise along the ring, so the first step finds something to do.
if ! grep -Eq '"objects_moved": ?[1-9]' "$report"; then
  cat "$report"
  echo "no rank was moved"
  exit 1
fi
