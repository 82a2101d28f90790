#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# advised.sh CASE MPIEXEC LIBRARY PROGRAM: the advisor with reserved processes that decide.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../waiting.sh"
case=$1 mpiexec=$2 library=$3 program=$4
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-advised.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  sed 's/^/    /' "$work/out" >&2
  exit 1
}
# run PROCESSES MODE COMMAND...
run() {
  "$mpiexec" -n "$1" env LD_PRELOAD="$library" SKEIN_MPMD="$2" "${@:3}" >"$work/out" 2>&1
}

# Prints the one process of this job that does not belong to the application.
decider() {
  local pid
  for pid in $(pgrep -f -- "^$program silence $work"); do
    [[ -e $work/application.$pid ]] || echo "$pid"
  done
}

# silence MODE: the decider is stopped from before the question until the patience is over.
silence() {
  run 4 "$1" "$program" silence "$work" &
  job=$!
  wait_for '[[ $(ls "$work" | grep -c application) == 3 && $(decider | wc -w) == 1 ]]' || fail "the job did not start"
  stopped=$(decider)
  kill -STOP "$stopped"
  touch "$work/stopped"
}

case $case in
  never) run 4 lazy:pes=1 "$program" never || fail "lazy" ;;
  wait_2) run 4 lazy:pes=1,wait=2 "$program" wait_2 || fail "wait=2" ;;
  always)
    run 4 lazy:pes=1,wait=always "$program" always || fail "wait=always"
    run 5 decoupled:reserved,pes=2 "$program" always || fail "decoupled:reserved"
    for pes in 1 2 3; do run 3 decoupled:pes=$pes "$program" always || fail "decoupled:pes=$pes"; done
    ;;
  forgotten) run 4 lazy:pes=1 "$program" forgotten || fail "an advisor that is not freed" ;;
  wrong) run 4 lazy:pes=1 "$program" wrong || fail "wrong input" ;;
  together) # by a parallel strategy, of more and of fewer processes than the application has
    # each way with more deciders than processes, or with as many at most
    for one in "rcb 2 wait_2 always forgotten" "rcb 4 never always wrong" "sfc 3 never wait_2 always"; do
      read -r strategy reserved cases <<<"$one"
      processes=$((3 + reserved))
      for each in $cases; do
        case $each in
          wait_2) mode=lazy:pes=$reserved,wait=2 ;;
          always) mode=decoupled:reserved,pes=$reserved ;;
          *) mode=lazy:pes=$reserved ;;
        esac
        run $processes $mode "$program" $each $strategy $reserved || fail "$each, $mode by $strategy"
        ! grep 'one of them decides' "$work/out" || fail "$reserved are to decide, and one does by $strategy"
      done
      ((reserved > 3)) || run 3 decoupled:pes=$reserved "$program" always $strategy $reserved || fail "decoupled:pes=$reserved by $strategy"
    done
    for strategy in scotch zoltan:approach=repartition; do # a build may lack the libraries
      run 5 lazy:pes=2 "$program" never $strategy 2 || grep -q 'which this build lacks' "$work/out" || fail "lazy:pes=2 by $strategy"
      if grep -q 'which this build lacks' "$work/out"; then continue; fi
      run 5 decoupled:reserved,pes=2 "$program" always $strategy 2 || fail "decoupled:reserved,pes=2 by $strategy"
      run 3 decoupled:pes=2 "$program" always $strategy 2 || fail "decoupled:pes=2 by $strategy"
    done
    ;;
  one_of_several) # one process decides for a strategy that is not parallel, and the job says so
    run 5 lazy:pes=2 "$program" never || fail "lazy:pes=2"
    [[ $(grep -c '2 processes are reserved to decide (pes=), but only one of them decides: the model chooses' "$work/out") == 1 ]] || fail "not told once"
    run 5 lazy:pes=2 "$program" never greedy 1 || fail "lazy:pes=2 by greedy"
    grep -q "only one of them decides: strategy 'greedy' decides on one PE; those that several can decide together are " "$work/out" ||
      fail "greedy: not told"
    run 5 lazy:pes=2 "$program" wrong || fail "wrong input"
    run 5 lazy:pes=2 "$program" forgotten || fail "an advisor that is not freed"
    ;;
  decoupled) # the messages of the advisor itself, tests/job/advisor/advice.c
    for processes in 2 3 4; do run "$processes" decoupled:reserved "$program" || fail "$processes processes"; done
    for processes in 1 2 3; do
      for pes in 1 2 3; do
        ((pes > processes)) || run "$processes" decoupled:pes=$pes "$program" || fail "$pes of $processes processes decide"
      done
    done
    ;;
  silence)
    silence lazy:wait=always,patience=0.5
    wait_for '[[ -e $work/went_on ]]' || fail "the program did not go on"
    kill -CONT "$stopped"
    touch "$work/resumed"
    wait "$job" || fail "the job"
    [[ $(grep -c 'has not answered for 0.5 s (patience=); the program goes on' "$work/out") == 1 ]] || fail "not told once"
    ;;
  silence_ends)
    silence lazy:wait=always,patience=0.5,silent=end
    if wait "$job"; then fail "the job went on"; fi
    kill -CONT "$stopped" 2>/dev/null || true
    grep -q 'the job ends (silent=end)' "$work/out" || fail "not told"
    ;;
  particles)
    positions() { grep positions "$work/out"; }
    imbalance() { sed -n 's/^imbalance of the pairs looked at: \(.*\) %/\1/p' "$work/out"; }
    "$mpiexec" -n 3 "$program" >"$work/out"
    expected=$(positions) plain=$(imbalance)
    for mode in lazy:pes=1 lazy:pes=1,wait=2 decoupled:reserved,pes=1 decoupled:pes=1 decoupled:pes=2; do
      processes=4
      [[ $mode != decoupled:pes* ]] || processes=3
      run $processes "$mode" "$program" --advise 10 || fail "$mode"
      [[ $(positions) == "$expected" ]] || fail "$mode: following advice changes the positions"
      grep -q '^advice: [^n]' "$work/out" || fail "$mode: nothing was advised"
      awk "BEGIN { exit !($(imbalance) < 0.75 * $plain) }" || fail "$mode: the imbalance was $plain % and is no quarter less"
    done
    ;;
esac
