#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/growth.sh [--ranks N] [--only NAME] [BUILD]: the cost of one of many, for everything that a program may have many
# of at once: nonblocking collectives and messages under way, communicators, types, windows, files and so on. Each number
# is twice the one before, from 1 to 10,000, as one table with bounds. BUILD is a build directory (default: build). N
# ranks (default: 2) of one PE. Exit status 1 if a bound is missed, 2 if the table cannot be made.
#
# The bounds: one of the greatest number costs at most four times as much as one of 64, a factor that caches explain, and
# ten times where each has pages of its own; and one of 64 nonblocking collectives of two ranks at most a microsecond,
# both ranks' parts included. Processor time of the PE.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/table.sh"
usage='[--ranks N] [--only NAME] [BUILD]'
ranks=2
only=()
while [[ ${1-} == --* ]]; do
  (($# >= 2)) || fail "$1 needs a value; the usage is bench/growth.sh $usage"
  case $1 in
    --ranks)
      [[ $2 =~ ^([1-9]|[1-5][0-9]|6[0-4])$ ]] || fail "--ranks $2: a number of ranks, from 1 to 64"
      ranks=$2
      ;;
    --only) only=(-- "$2") ;;
    *) fail "unknown option $1; the usage is bench/growth.sh $usage" ;;
  esac
  shift 2
done
use_build "$@"

sizes=(1 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 10000)
growth_bound=4
page_bound=10
linear=' environment '  # in the C library, too
with_pages=' heap_blocks mappings '
collective_bound=1000  # ns
collectives=' ialltoall iscan iallreduce_own_op ialltoallw ineighbor_alltoall ireduce_scatter igather comm_idup '
"$skein" run -p 1 -n "$ranks" "$build/bench/mpi/growth" "$work/file" "${sizes[@]}" "${only[@]}" >"$work/rows" ||
  fail 'the program failed'
[[ -s $work/rows ]] || fail "no row: ${only[*]} is not among the resources of bench/mpi/growth.c"

# value NAME SIZE: nanoseconds, or nothing.
value() { awk -v name="$1" -v size="$2" '$1 == name && $2 == size { print $3 }' "$work/rows"; }
printf '%-22s' 'ns for one of'
printf ' %7d' "${sizes[@]}"
printf ' %8s\n' 'most:64'
for name in $(awk '!seen[$1]++ { print $1 }' "$work/rows"); do
  printf '%-22s' "$name"
  for size in "${sizes[@]}"; do
    each=$(value "$name" "$size")
    printf ' %7s' "${each:+$(printf '%.0f' "$each")}"
    [[ ! $each ]] || last=$each
  done
  at_64=$(value "$name" 64)
  bound=$growth_bound
  [[ $with_pages != *" $name "* ]] || bound=$page_bound
  verdict=linear
  [[ $linear == *" $name "* ]] || judge "$last / $at_64" "$bound"
  of_growth=$verdict
  if ((ranks == 2)) && [[ $collectives == *" $name "* ]]; then judge "$at_64" "$collective_bound"; fi
  [[ $of_growth == ok ]] || verdict=$of_growth
  printf ' %8s  %s\n' "$(compute "$last / $at_64")" "$verdict"
done
((missed == 0))
