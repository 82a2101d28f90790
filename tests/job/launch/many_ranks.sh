#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# many_ranks.sh SKEIN PROGRAM: with so many ranks a process that mapping their code would exceed the system's limit of
# mappings, each rank has its code in memory of its own, which moves with it: by hand-over, and by copy. PROGRAM is
# tests/programs/many.c.
set -euo pipefail
skein=$1 program=$2
limit=$(cat /proc/sys/vm/max_map_count)
# Half of the limit is for code, shared by two PEs, at two mappings a rank for the program and for each of its three libraries.
ranks=$((limit / 8 + 200))
if ((ranks > 40000)); then
  echo "skipped: vm.max_map_count is $limit here, so that it would take $ranks ranks"
  exit 77
fi

# runs COUNT WORD...: runs the job with COUNT ranks; sets `mappings`.
runs() {
  local told count=$1
  shift
  told=$("$skein" run -v -p 2 -n "$count" "$@" 2>&1) || { echo "FAILED: status $? of $*: $told" >&2; exit 1; }
  mappings=$(sed -nE "s/^$count ranks, sum $((count * (count - 1) / 2)), ([0-9]+) mappings$/\1/p" <<<"$told")
  [[ $mappings ]] || { echo "FAILED: $*: no sum in: $told" >&2; exit 1; }
  echo "$count ranks, $*: $mappings mappings"
}
# Mapped code takes seven or eight mappings a rank: without them the test would see nothing.
runs 1000 "$program" 1
((mappings > 500 * 4)) || { echo "FAILED: code was not mapped" >&2; exit 1; }
for arena in shared private; do
  runs "$ranks" --arena "$arena" --lb rotate --lb-period 1 "$program" 2
  ((mappings < limit / 4)) || { echo "FAILED: $mappings mappings" >&2; exit 1; }
done
