#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/run.sh [--ampi DIR] [BUILD]: the speed and memory of Skein beside its bounds and beside the MPI underneath, measured
# in the same run, as one table. BUILD is a build directory (default: build). DIR is a build folder of Charm++ with Adaptive
# MPI (it has bin/ampicc): the same program is measured under AMPI as well, in a column. Exit status 1 if a bound is missed,
# 2 if the table cannot be made.
#
# Between PEs the time of a cache line from core to core decides, and on virtual machines it differs by several times from
# one moment to the next: it is probed around each pair of figures and printed beside them, and a pair whose probes differ
# by more than half is measured again.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/table.sh"
usage='[--ampi DIR] [BUILD]'
ampi=
if [[ ${1-} == --ampi ]]; then
  (($# >= 2)) || fail '--ampi needs the build folder of Charm++'
  [[ -x $2/bin/ampicc && -x $2/bin/charmrun ]] ||
    fail "--ampi $2: no bin/ampicc and bin/charmrun there; name a build folder of Charm++, made with ./build AMPI ..."
  ampi=$(cd "$2" && pwd)
  shift 2
fi
use_build "$@"
bench=$build/bench/micro
attempts=5

ranks() { # ranks PES RANKS MEASUREMENT...
  local pes=$1 count=$2
  shift 2
  "$skein" run -p "$pes" -n "$count" "$bench/mpi_bench" "$@"
}
raw() { raw_of 2 "$@"; }
raw_of() { "$mpiexec" --oversubscribe -n "$1" "$bench/mpi_bench_raw" "${@:2}"; }

# least COMMAND...: the least of the figures that the command prints in several runs, as a disturbance only makes
# one longer.
least() {
  local attempt
  for ((attempt = 0; attempt < attempts; ++attempt)); do "$@"; done | sort -g | sed -n 1p
}

# peer SCALE PES RANKS MEASUREMENT...: AMPI's figure times SCALE; "failed" if it fails; nothing without --ampi.
peer() {
  [[ $ampi ]] || return 0
  local scale=$1 pes=$2 count=$3 figure program=ampi_bench
  shift 3
  [[ $1 != move ]] || program=ampi_bench_move
  # AMPI's runtime prints to standard output, too.
  figure=$(timeout 300 "$ampi/bin/charmrun" "+p$pes" "$work/$program" "$@" "+vp$count" +setcpuaffinity \
    +ampiEnableMigrateToPe 2>/dev/null | grep -E '^[0-9]+\.[0-9]$' | tail -n 1) || figure=
  [[ $figure ]] && compute "$figure * $scale" || echo failed
}
build_peer() (
  source=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/micro/mpi_bench.c
  cd "$work"  # the run leaves files in its folder
  "$ampi/bin/ampicc" -O3 "$source" -o "$work/ampi_bench"
  # Ranks that move need their heap at fixed addresses; other ranks are faster without.
  "$ampi/bin/ampicc" -O3 -memory isomalloc "$source" -o "$work/ampi_bench_move"
)

# row NAME UNIT OURS BOUND AMPI [RAW] [HAND-OVER]
row() {
  judge "$3" "$4"
  line "$1" "$(compute "$3")" "$(compute "$4")" "$2" "$(compute "($3) / ($4)")" "$5" "${6:--}" "${7:--}" "$verdict"
}
# line NAME OURS BOUND UNIT RATIO AMPI RAW HAND-OVER VERDICT
line() {
  printf '%-46s %10s %10s %-5s %8s' "${@:1:5}"
  [[ ! $ampi ]] || printf ' %10s' "$6"
  printf ' %10s %9s  %s\n' "${@:7}"
}

# one_pe NAME BOUND RANKS MEASUREMENT...: nanoseconds, between ranks of one PE.
one_pe() {
  local name=$1 bound=$2
  shift 2
  row "$name" ns "$(least ranks 1 "$@")" "$bound" "$(least peer 1 1 "$@")"
}

# between_pes NAME BYTES FACTOR: one way between two PEs, at most FACTOR times the figure of the MPI
# underneath.
between_pes() {
  local attempt before after ours theirs peers
  for ((attempt = 0; attempt < attempts; ++attempt)); do
    before=$("$bench/hand_over")
    theirs=$(raw pingpong "$2")
    ours=$(ranks 2 2 pingpong "$2")
    peers=$(peer 1 2 2 pingpong "$2")
    after=$("$bench/hand_over")
    if awk "BEGIN { exit !($after < 1.5 * $before && $before < 1.5 * $after) }"; then break; fi
  done
  row "$1" ns "$ours" "$theirs * $3" "$peers" "$(compute "$theirs")" "$before..$after"
}

# recorded_halo: the time that --trace adds to a message: an event each for its start, its receive's start and half of
# the wait.
recorded_halo() {
  local without with
  without=$(least ranks 1 64 halo 1024)
  with=$(SKEIN_TRACE=$work/trace least ranks 1 64 halo 1024)
  row 'the same, recorded: more a message' ns "$with - $without" 15 ''
}

# move_step RANKS MIB: the median step's time, us, for handing each PE's ranks to the other PE.
move_step() {
  "$skein" run -p 2 -n "$1" --arena shared --lb rotate --lb-period 1 --lb-report "$work/report" "$bench/mpi_bench" move "$2" \
    >/dev/null
  local middle
  middle=$(($(grep -c '"step"' "$work/report") / 2))
  compute "$(sed -n 's/.*"move_s":\([^,}]*\).*/\1/p' "$work/report" | sort -g | sed -n "${middle}p") * 1e6"
}
# moving NAME MIB: a step that moves one rank of each PE.
moving() { row "$1" us "$(move_step 2 "$2")" 1 "$(peer 1e-3 2 2 move "$2")"; }

# seconds_of COMMAND...: its time in seconds; if it fails, the word of a peer() that fails.
seconds_of() {
  local start=$EPOCHREALTIME
  "$@" >"$work/said"
  if grep -q failed "$work/said"; then echo failed; else compute "$EPOCHREALTIME - $start"; fi
}
peer_seconds() { [[ ! $ampi ]] || seconds_of peer 1 1 "$1" start; }

# each MANY FEW COUNT SCALE: a COUNTth of the difference of two figures, times SCALE; missing if either is.
each() {
  case $1$2 in
    '') ;;
    *failed*) echo failed ;;
    *) compute "($1 - $2) / $3 * $4" ;;
  esac
}

# entry RANKS: ns from the command until the last rank is in its main: all of creating the ranks, and MPI_Init and an
# entry into MPI_Barrier of the others. The fastest of five: a virtual machine's host may first have to find the memory.
entry() { least entry_from_now "$1"; }
entry_from_now() { ranks 1 "$1" enter "$EPOCHREALTIME"; }

[[ ! $ampi ]] || build_peer
line measurement ours 'at most' unit 'of bound' AMPI 'raw MPI' hand-over ''
one_pe 'one way, 8 B, ranks of one PE' 50 2 pingpong 8
one_pe 'one way, 1 MiB, ranks of one PE' "1.1 * $(least "$bench/mpi_bench_raw" memcpy 1048576)" 2 pingpong 1048576
between_pes 'one way, 8 B, two PEs' 8 0.8
between_pes 'one way, 1 KiB, two PEs' 1024 0.5
between_pes 'one way, 1 MiB, two PEs' 1048576 0.6
# At least 15 million a second.
row 'a message of 8 B, 16 ranks to 16 on another PE' ns "$(least ranks 2 32 rate 8)" 1e9/15e6 '' "$(compute "$(least raw rate 8)")"
one_pe 'barrier of 64 ranks on one PE, a rank' 40 64 barrier
one_pe 'halo, 64 ranks on one PE, 1 KiB, a message' 65 64 halo 1024
recorded_halo
one_pe 'halo with persistent requests, a message' 45 64 persistent 1024
one_pe 'yield between two ranks, with MPI_Iprobe' 25 2 probe
moving 'moving a rank with 1 MiB, one node' 1
moving 'moving a rank with 64 MiB, one node' 64
row 'moving 101 ranks of each PE, each of 100 more' us "$(each "$(move_step 202 1)" "$(move_step 2 1)" 100 1)" 1 ''
few=$(seconds_of ranks 1 1000 start)
many=$(seconds_of ranks 1 10000 start)
peer_many=$(peer_seconds 10000)
row '10,000 ranks on one PE: start and a barrier' s "$many" 3 "$peer_many"
row 'creating a rank, up to its main' us "$(each "$(entry 10000)" "$(entry 1000)" 9000 1e-3)" 20 \
  "$(each "$(peer 1 1 10000 enter "$EPOCHREALTIME")" "$(peer 1 1 1000 enter "$EPOCHREALTIME")" 9000 1e-3)"
line 'a rank from creation to the exit, one barrier' "$(each "$many" "$few" 9000 1e6)" - us - \
  "$(each "$peer_many" "$(peer_seconds 1000)" 9000 1e6)" - - ''
row 'memory of an idle rank' KiB "$(each "$(ranks 1 2100 memory)" "$(ranks 1 100 memory)" 2000 1)" 32 \
  "$(each "$(peer 1 1 2100 memory)" "$(peer 1 1 100 memory)" 2000 1)"
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/many_ranks.sh"
many_ranks_rows
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/seismic.sh"
seismic_rows
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/auto.sh"
auto_rows
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/native.sh"
native_rows
((missed == 0))
