#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# live.sh SKEIN LATE SLOWING SLOW: a job with --lb-mode auto is inline at first, and becomes lazy by its own steps, which
# empties the last PE; if that was slower, it is inline again. The programs always print the same. SLOW has strategies
# that take their time (tests/job/strategies/slow.cpp).
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 late=$2 slowing=$3 slow=$4

# run PES OPTIONS... -- PROGRAM...: runs the job with ranks that move at each decision, and unmoved.
run() {
  local pes=$1
  shift
  "$skein" run -p "$pes" -n 7 -v --lb-period 1 --lb-mode auto --lb-report run.report "$@" >run.out 2>run.err ||
    fail "$*: exit status $?"
  while [[ $1 != -- ]]; do shift; done
  shift
  "$skein" run -p "$pes" -n 7 "$@" >unmoved.out 2>unmoved.err || fail "$* unmoved: exit status $?"
  cmp unmoved.out run.out >&2 || fail "$* on $pes PEs: the program printed something else than unmoved"
}

# Steps three and four show that a decision takes as long as a hundred points, and the fifth empties the last PE.
for pes in 2 4; do
  run "$pes" --lb "$slow:sleepy:ms=100" -- "$late" 60
  says 'LB mode from sync point 5 on: lazy:pes=1: lazy:pes=1: 1 steps take'
  says 'LB mode: inline, from sync point 5 on lazy:pes=1; .*: next time --lb-mode lazy:pes=1$'
  says_not 'on: inline'
  # A list of moves has [rank,from,to].
  moves=$(grep '"step":5,' run.report | grep -oE "\[[0-9]+,$((pes - 1)),[0-9]+\]" | wc -l)
  ((moves > 0)) || fail "the last of $pes PEs was not left"
  sed '1,/"step":5,/d' run.report >later.report
  if grep -o '"moves":[^"]*' later.report | grep -qE "\[[0-9]+,([0-9]+,$((pes - 1))|$((pes - 1)),[0-9]+)\]"; then
    fail "a rank was on the reserved PE of $pes"
  fi
done

# From there on a step takes long, on any number of PEs, and so inline was faster.
run 2 --lb "$slow:sleepy:ms=50" -- "$slowing" 20 6 80
says 'LB mode from sync point 5 on: lazy:pes=1'
says 'LB mode from sync point [0-9]+ on: inline: sync points came faster in that mode'
says 'LB mode: inline, from sync point 5 on lazy:pes=1, from sync point [0-9]+ on inline; '
sed '1,/"late_points":[0-9]/d' run.report | grep -o '"moves":[^"]*' | grep -qE '\[[0-9]+,0,1\]' ||
  fail "nobody came back to the PE that was reserved"

# A rank that cannot leave the last PE keeps the job inline until it can.
run 2 --lb "$slow:sleepy:ms=50" -- "$slowing" 16 1000 0 9
says 'LB mode stays inline while ranks on PE 1 cannot move or have ended'
says 'LB mode from sync point (9|1[0-6]) on: lazy:pes=1'
run 2 --lb "$slow:sleepy:ms=50" -- "$slowing" 8 1000 0 1000
says_not 'LB mode from'

# The model's choice is immediate, with strategies that call, or may call, MPI on the thread of the reserved PE.
run 3 --lb auto -- "$late" 30
says 'LB mode inline at first: .* its own steps may change it to lazy'

# The job reports what keeps it inline.
run 2 --lb "$slow:sleepy:ms=20" --lb-dump dump.json -- "$late" 10
says 'so it stays, since --lb-dump writes the snapshots of one PE'
says_not 'LB mode from'
run 2 --lb "$slow:sleepy:ms=20" --lb-memory 1G -- "$late" 10
says 'so it stays, since with --lb-memory all PEs are taken to be needed'
run 1 --lb greedy -- "$late" 10
says 'so it stays, since there is one PE'
"$skein" run -p 2 -n 7 -v --lb greedy --lb-period 1s --lb-mode auto "$late" 10 >run.out 2>run.err || fail "1s: exit status $?"
says 'so it stays, since a lazy job asks at every K-th sync point'
