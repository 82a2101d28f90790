#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/run.sh [BUILD]: the speed and memory of Skein beside its bounds and beside the MPI underneath, measured in the same
# run, as one table. BUILD is a build directory (default: build). Exit status 1 if a bound is missed.
#
# Between PEs the time that a cache line takes from core to core decides, and on virtual machines it differs by several
# times from one moment to the next: it is probed around each such pair of figures and printed beside them, and a pair
# whose probes differ by more than half is measured again.
set -euo pipefail
build=$(cd "${1:-build}" && pwd)
skein=$build/bin/skein
bench=$build/bench/micro
mpiexec=$(sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt")
attempts=5
missed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_hwloc_base_binding_policy=core
export SKEIN_QUIET=1

# compute EXPRESSION: with awk, to three digits.
compute() { awk "BEGIN { printf \"%.3g\", $1 }"; }

ranks() { # ranks PES RANKS MEASUREMENT...
  local pes=$1 count=$2
  shift 2
  "$skein" run -p "$pes" -n "$count" "$bench/mpi_bench" "$@"
}
raw() { "$mpiexec" -n 2 "$bench/mpi_bench_raw" "$@"; }

# row NAME UNIT OURS BOUND [RAW] [HAND-OVER]
row() {
  local verdict=ok
  if awk "BEGIN { exit !(($3) > ($4)) }"; then
    verdict=MISSED
    missed=$((missed + 1))
  fi
  printf '%-46s %10s %10s %-5s %8s %10s %9s  %s\n' "$1" "$(compute "$3")" "$(compute "$4")" "$2" \
    "$(compute "($3) / ($4)")" "${5:--}" "${6:--}" "$verdict"
}

# between_pes NAME BYTES FACTOR: one way between two PEs, at most FACTOR times what the MPI underneath takes.
between_pes() {
  local attempt before after ours theirs
  for ((attempt = 0; attempt < attempts; ++attempt)); do
    before=$("$bench/hand_over")
    theirs=$(raw pingpong "$2")
    ours=$(ranks 2 2 pingpong "$2")
    after=$("$bench/hand_over")
    if awk "BEGIN { exit !($after < 1.5 * $before && $before < 1.5 * $after) }"; then break; fi
  done
  row "$1" ns "$ours" "$theirs * $3" "$(compute "$theirs")" "$before..$after"
}

# moving NAME MIB: the median step's time for handing each PE's rank to the other PE.
moving() {
  "$skein" run -p 2 -n 2 --arena shared --lb rotate --lb-period 1 --lb-report "$work/report" "$bench/mpi_bench" move "$2" \
    >/dev/null
  local middle
  middle=$(($(wc -l <"$work/report") / 2))
  row "$1" us "$(sed 's/.*"move_s":\([^,}]*\).*/\1/' "$work/report" | sort -g | sed -n "${middle}p") * 1e6" 15
}

seconds_of() {
  local start=$EPOCHREALTIME
  "$@" >/dev/null
  compute "$EPOCHREALTIME - $start"
}

printf '%-46s %10s %10s %-5s %8s %10s %9s\n' measurement ours 'at most' unit 'of bound' 'raw MPI' 'hand-over'
row 'one way, 8 B, ranks of one PE' ns "$(ranks 1 2 pingpong 8)" 90
copy=$("$bench/mpi_bench_raw" memcpy 1048576)
row 'one way, 1 MiB, ranks of one PE' ns "$(ranks 1 2 pingpong 1048576)" "1.1 * $copy"
between_pes 'one way, 8 B, two PEs' 8 2
between_pes 'one way, 1 KiB, two PEs' 1024 2
between_pes 'one way, 1 MiB, two PEs' 1048576 1.1
row 'barrier of 64 ranks on one PE, a rank' ns "$(ranks 1 64 barrier)" 80
row 'halo, 64 ranks on one PE, 1 KiB, a message' ns "$(ranks 1 64 halo 1024)" 90
row 'yield between two ranks, with MPI_Iprobe' ns "$(ranks 1 2 probe)" 40
moving 'moving a rank with 1 MiB, one node' 1
moving 'moving a rank with 64 MiB, one node' 64
few=$(seconds_of ranks 1 1000 start)
many=$(seconds_of ranks 1 10000 start)
row '10,000 ranks on one PE: start and a barrier' s "$many" 3
row 'creating a rank, its barrier and its end' us "($many - $few) / 9000 * 1e6" 20
row 'memory of an idle rank' KiB "($(ranks 1 2100 memory) - $(ranks 1 100 memory)) / 2000" 32
((missed == 0))
