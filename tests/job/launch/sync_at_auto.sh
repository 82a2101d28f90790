#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sync_at_auto.sh SKEIN PROGRAM MIGRATING [ROUNDS]: an unprepared program is balanced with --lb alone, at any of its
# collectives on all ranks, and computes the same as unmoved. PROGRAM is tests/programs/candidates.c, MIGRATING the
# same with calls of MPI_Migrate().
set -euo pipefail
skein=$1 program=$2 migrating=$3 rounds=${4:-1}
failures=0

fail() {
  echo "FAILED: $1" >&2
  failures=$((failures + 1))
}

# told PROGRAM... : runs a job with $options; $results has its standard output, $said its standard error.
options=()
told() {
  local errors
  errors=$(mktemp)
  results=$(timeout 60 "$skein" run "${options[@]}" "$@" 2>"$errors") || fail "status $? of ${options[*]} $*: $(cat "$errors")"
  said=$(cat "$errors")
  rm -f "$errors"
}

# same "OPTIONS" ARGUMENTS... : checks that $program computes the same as on one PE.
declare -A unmoved
same() {
  local given=$1
  shift
  if [[ ! ${unmoved[$*]:-} ]]; then
    options=(-p 1 -n 8 -q)
    told "$program" "$@"
    unmoved[$*]=$results
  fi
  read -ra options <<<"$given"
  for ((round = 0; round < rounds; ++round)); do
    told "$program" "$@"
    [[ $results == "${unmoved[$*]}" && $(wc -l <<<"$results") -gt 7 ]] || fail "$given $*: other results: $results"
  done
}

# moves: checks also that ranks have moved.
moves() {
  same "$@"
  grep -qE 'LB moved [1-9]' <<<"$said" || fail "$*: nothing moved: $said"
}

# says PATTERN "OPTIONS" PROGRAM ARGUMENTS...
says() {
  local pattern=$1
  read -ra options <<<"$2"
  shift 2
  told "$@"
  grep -qE -- "$pattern" <<<"$said" || fail "${options[*]} $*: nothing like '$pattern' in: $said"
}

# With no option but a strategy.
moves '-p 2 -n 8 --lb auto' world 200 200
moves '-p 2 -n 8 --lb greedy-refine' world 200 200
same '-p 2 -n 8 --lb rotate' failing 100 20
# At any frequency: by the clock, on two PEs, and by the number of sync points, on three.
for shape in others inter ahead failing late; do
  moves '-p 2 -n 8 --lb rotate --lb-period 0.0001s' "$shape" 100 20
done
for shape in world inter short failing late; do
  moves '-p 3 -n 8 --lb random --lb-period 7' "$shape" 100 20
done
# With any PE that decides.
moves '-p 2 -n 8 --lb rotate --lb-mode decoupled --lb-period 0.001s' others 100 20
moves '-p 3 -n 8 --lb rotate --lb-mode decoupled:reserved --lb-period 0.001s' ahead 100 20
moves '-p 3 -n 8 --lb rotate --lb-mode lazy --lb-period 7' others 100 20
same '-p 3 -n 8 --lb rotate --lb-mode auto' world 100 20
moves '-p 2 -n 8 --lb rotate --transport mpi --arena private --check --deadlock-after 0.001 --lb-period 0.0001s' others 100 20
moves '-p 2 -n 8 --lb diffusion --lb-period 0.01s' world 200 200

# Steps are in time even if a PE always has ranks that can go on: PE 0 has four times as much to do and keeps it.
for mode in inline decoupled; do
  says 'LB refine: [1-9][0-9]+ steps' "-p 2 -n 8 --lb refine:tolerance=9 --lb-mode $mode --lb-period 0.001s" \
    "$program" others 100 50
done

# By number all ranks count alike, and MPI_Migrate() ends the counting: three barriers, a reduction, 20 sync points.
says 'LB rotate: 6 steps' '-p 2 -n 8 --lb rotate --sync-at auto --lb-period 4' "$migrating" own 20 0
says 'LB rotate: 1 step ' '-p 2 -n 8 --lb rotate' "$migrating" own 20 0
says 'LB rotate: 0 steps' '-p 2 -n 8 --lb rotate --sync-at none --lb-period 1' "$program" world 20 0
says 'LB rotate: 23 steps' '-p 2 -n 8 --lb rotate --lb-period 1' "$program" own 20 0

# A program refers to MPI_Migrate() and does not call it: the collectives behind the first 40 count as in any other
# program. If the program calls it then, they cease to count as soon as it does.
unprepared=$program program=$migrating
took='took collectives for sync points'
moves '-p 2 -n 8 --lb auto' world 200 200
grep -q "$took" <<<"$said" || fail "nothing like '$took' in $said"
for shape in inter late; do
  moves '-p 3 -n 8 --lb rotate --lb-period 0.0001s' "$shape" 400 20
done
moves '-p 3 -n 8 --lb rotate --lb-mode decoupled:reserved --lb-period 0.001s' ahead 400 50
moves '-p 2 -n 8 --lb rotate --lb-mode decoupled --lb-period 0.0001s' turns 400 20
moves '-p 2 -n 8 --lb rotate --lb-period 0.0001s --check' turns 200 20
grep -q "$took" <<<"$said" || fail "turns: nothing like '$took' in $said"
# 60 reductions, of which 20 count, and then 60 calls of MPI_Migrate() beside as many reductions that do not count.
report=$(mktemp)
same "-p 2 -n 8 --lb rotate --lb-period 0.0001s --lb-report $report" turns 120 200
points=$(grep -o '"points":[0-9]*' "$report" | awk -F: '{sum += $2} END {print sum}')
((points > 60 && points < 100)) || fail "turns: $points sync points in the report: $(cat "$report")"
rm -f "$report"
# With a period in sync points only the program's own calls are sync points.
says 'LB rotate: 30 steps' '-p 2 -n 8 --lb rotate --lb-period 1' "$program" turns 60 0
! grep -q "$took" <<<"$said" || fail "turns: '$took' in $said"
says 'no sync point; .*call MPI_Migrate.. in its time loop, or use --sync-at auto' '-p 2 -n 8 --lb rotate --lb-period 4' "$program" world 60 0
says 'no sync point; it refers to MPI_Migrate.. but did not call it' '-p 2 -n 8 --lb rotate' "$program" halos 20 0
program=$unprepared

# Without collectives on all ranks the ranks move while they wait for messages.
for shape in halos begun waits mixed rendezvous; do
  moves '-p 2 -n 8 --lb rotate --lb-period 0.001s' "$shape" 20 2000
done
same '-p 3 -n 8 --lb rotate --lb-period 0.01s' mixed 20 2000
# They do not move while a PE has data that ranks elsewhere have yet to fetch.
moves '-p 2 -n 8 --lb rotate --lb-period 0.001s' given 200 2000
same '-p 3 -n 8 --lb random --lb-period 0.01s' given 40 2000
SKEIN_PES_PER_NODE=2 same '-p 4 -n 8 --lb random --arena private --lb-period 0.005s' given 60 500
moves '-p 2 -n 8 --lb auto' halos 50 2000
moves '-p 2 -n 8 --lb rotate --transport mpi --arena private --check --lb-period 0.001s' rendezvous 20 2000
moves '-p 2 -n 8 --lb rotate --lb-mode decoupled --lb-period 0.001s' waits 20 2000
grep -q 'LB: [1-9][0-9]* of the steps came while ranks waited for messages' <<<"$said" || fail "waits: it is not said: $said"

# A program without candidates is told what would serve.
none='no blocking collective was made on all 8 ranks .--sync-at auto.'
says "$none, but on 4 of them at most: call MPI_Migrate.. in its time loop, or name a call" '-p 2 -n 8 --lb rotate' "$program" halves 20 0
says "no step: .*$none: call MPI_Migrate.. in its time loop" '-p 2 -n 8 --lb rotate' "$program" halos 20 0
says "could not stop all ranks in waits for messages .*call MPI_Migrate" '-p 2 -n 8 --lb rotate' "$program" halves 20 5000
((failures == 0))
