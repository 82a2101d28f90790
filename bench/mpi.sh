#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/mpi.sh [--rounds N] [--only PART] [BUILD]: chapters of MPI beside the MPI underneath at one rank per PE, two PEs,
# as one table with bounds. PART is collectives, one_sided, types, matching or files. BUILD is a build directory (default:
# build). Exit status 1 if a bound is missed, 2 if the table cannot be made.
#
# The programs are those of bench/mpi, each compiled twice. In each of N rounds (default: 5) both take turns, in
# alternating order. A ratio is the median over the rounds of the ratio within a round: a disturbance of the machine that
# lasts longer than a run disturbs both sides. Times are medians as well.
#
# Collectives: 64 ranks on two PEs against two processes that hold the same data, so that a process's buffer is that of 32
# ranks. Matching: the time of a message with 10,000 others outstanding against the time with 10. Files: in TMPDIR.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/table.sh"
usage='[--rounds N] [--only PART] [BUILD]'
rounds=5
parts=(collectives one_sided types matching files)
while [[ ${1-} == --* ]]; do
  (($# >= 2)) || fail "$1 needs a value; the usage is bench/mpi.sh $usage"
  case $1 in
    --rounds)
      [[ $2 =~ ^[1-9][0-9]*$ ]] || fail "--rounds $2: a number of rounds, at least 1"
      rounds=$2
      ;;
    --only)
      [[ " ${parts[*]} " == *" $2 "* ]] || fail "--only $2: the parts are ${parts[*]}"
      parts=("$2")
      ;;
    *) fail "unknown option $1; the usage is bench/mpi.sh $usage" ;;
  esac
  shift 2
done
use_build "$@"
bench=$build/bench/mpi

ranks() { # ranks PES RANKS PROGRAM ARGUMENT...
  local pes=$1 count=$2 program=$3
  shift 3
  "$skein" run -p "$pes" -n "$count" "$bench/$program" "$@"
}
raw() { # raw PROGRAM ARGUMENT...
  local program=$1
  shift
  "$mpiexec" -n 2 "$bench/${program}_raw" "$@"
}

# rounds_of NAME=COMMAND...: runs the commands, whose lines are "what number nanoseconds", in each round; their lines go
# to $work/NAME.ROUND.
rounds_of() {
  local round way order
  for ((round = 0; round < rounds; ++round)); do
    order=("$@")
    if ((round % 2)); then mapfile -t order < <(printf '%s\n' "$@" | tac); fi
    for way in "${order[@]}"; do
      # shellcheck disable=SC2086
      ${way#*=} >"$work/${way%%=*}.$round" || fail "failed: ${way#*=}"
    done
  done
}

# value WAY ROUND WHAT NUMBER: a nanosecond figure of that round.
value() { awk -v what="$3" -v number="$4" '$1 == what && $2 == number { print $3 }' "$work/$1.$2"; }
# middle WAY WHAT NUMBER: the median over the rounds.
middle() {
  local round
  for ((round = 0; round < rounds; ++round)); do value "$1" "$round" "${@:2}"; done | median
}
# middle_ratio WAY WHAT NUMBER OTHER-WAY OTHER-WHAT OTHER-NUMBER
middle_ratio() {
  local round
  for ((round = 0; round < rounds; ++round)); do
    compute "$(value "$1" "$round" "$2" "$3") / $(value "$4" "$round" "$5" "$6")"
    echo
  done | median
}

# in_unit NANOSECONDS: prints the time in a readable unit.
in_unit() {
  awk -v ns="$1" 'BEGIN {
    if (ns < 1e4) printf "%.0f ns", ns; else if (ns < 1e7) printf "%.1f us", ns / 1e3; else printf "%.1f ms", ns / 1e6 }'
}
# line NAME OURS THEIRS RATIO BOUND VERDICT
line() { printf '%-52s %11s %11s %9s %9s  %s\n' "$@"; }
# against NAME BOUND WAY WHAT NUMBER OTHER-WAY OTHER-WHAT OTHER-NUMBER: a row of a ratio of two figures.
against() {
  local ratio
  ratio=$(middle_ratio "${@:3}")
  judge "$ratio" "$2"
  line "$1" "$(in_unit "$(middle "${@:3:3}")")" "$(in_unit "$(middle "${@:6}")")" "$(compute "$ratio")" "$2" "$verdict"
}
# at_most NAME NANOSECONDS WAY WHAT NUMBER: a row of a figure that has a bound of its own, with that of raw
# beside it.
at_most() {
  local ours
  ours=$(middle "${@:3}")
  judge "$ours" "$2"
  line "$1" "$(in_unit "$ours")" "$(in_unit "$(middle raw "${@:4}")")" - "$(in_unit "$2")" "$verdict"
}
# bytes NUMBER: prints the size in a readable unit.
bytes() {
  if (($1 >= 1 << 20)); then
    echo "$(($1 >> 20)) MiB"
  elif (($1 >= 1 << 10)); then
    echo "$(($1 >> 10)) KiB"
  else
    echo "$1 B"
  fi
}

collectives_rows() {
  local what number name
  rounds_of 'ours=ranks 2 64 collectives 64' 'raw=raw collectives 64'
  while read -r what number _; do
    name="$what of 64 ranks, $(bytes "$number")"
    [[ $what != barrier ]] || name='barrier of 64 ranks'
    against "$name" 1.5 ours "$what" "$number" raw "$what" "$number"
  done <"$work/ours.0"
}

one_sided_rows() {
  local what
  rounds_of 'ours=ranks 2 2 one_sided' 'same=ranks 1 2 one_sided' 'raw=raw one_sided'
  for what in put get; do
    at_most "$what and flush, 8 B, two PEs" 200 ours $what 8
    at_most "$what and flush, 8 B, one PE" 200 same $what 8
    against "$what, 1 MiB, two PEs, against memcpy" 1.1 ours $what 1048576 raw memcpy 1048576
    against "$what, 1 MiB, one PE, against memcpy" 1.1 same $what 1048576 raw memcpy 1048576
  done
}

types_rows() {
  local what number
  rounds_of 'ours=ranks 2 2 types' 'raw=raw types'
  while read -r what number _; do
    against "$what of $(bytes "$number"), one way, two PEs" 1 ours "$what" "$number" raw "$what" "$number"
  done <"$work/ours.0"
}

matching_rows() {
  local what number
  rounds_of 'ours=ranks 1 2 matching 10 10000'
  while read -r what number _; do
    [[ $number == 10 ]] || continue
    against "$what: 10,000 outstanding against 10" 2 ours "$what" 10000 ours "$what" 10
  done <"$work/ours.0"
}

files_rows() {
  rounds_of "ours=ranks 2 64 files $work/file 256" "raw=raw files $work/file 256"
  against 'MPI_File_write_at_all of 256 MiB by 64 ranks' 1.2 ours write_at_all 268435456 raw write_at_all 268435456
}

line measurement ours 'raw, other' ratio 'at most' ''
for part in "${parts[@]}"; do "${part}_rows"; done
((missed == 0))
