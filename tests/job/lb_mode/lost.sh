#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lost.sh SKEIN SLOWING: a reserved PE dies; and no rank can move.
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 slowing=$2

# begin MODE: starts a job of some seconds, in which PE 2 is reserved; returns once that PE has decided.
begin() {
  mark=$1
  : >run.err  # the previous run's messages do not belong to this run
  JOB_TEST_MARK=$work/$mark "$skein" run -p 3 -n 4 -v --lb greedy --lb-period 1 --lb-mode "$1" "$slowing" 200 1 10 >run.out 2>run.err &
  job=$!
  wait_for "grep -q 'LB decision about sync point' run.err" || fail "$1: nothing was decided"
  reserved=$(pid_of_pe 2 "$work/$mark")
  [[ -n $reserved ]] || fail "$1: there is no PE 2"
}

# The reserved PE dies: the job ends, and says so.
for mode in lazy lazy:wait=always; do
  begin "$mode"
  kill -KILL "$reserved"
  if wait "$job"; then fail "$mode: a job whose reserved PE was killed ended as if all were well"; fi
  says 'PE 2'
done

# No rank can move: the job says so, and computes the same as unmoved.
"$skein" run -p 2 -n 4 "$slowing" 30 1000 0 >unmoved.out 2>unmoved.err || fail "unmoved: exit status $?"
for mode in decoupled decoupled:reserved lazy lazy:wait=always lazy:thread,wait=always; do
  "$skein" run -p 3 -n 4 --lb random --lb-period 1 --lb-mode "$mode" --lb-report run.report "$slowing" 30 1000 0 -1 \
    >run.out 2>run.err || fail "$mode, pinned: exit status $?"
  cmp unmoved.out run.out >&2 || fail "$mode, pinned: the program printed something else than unmoved"
  if grep -q '"objects_moved":[1-9]' run.report; then fail "$mode: a pinned rank moved"; fi
  [[ $mode != decoupled* && $mode != *always ]] || says 'rank [0-9] stays on PE [0-9] while'
done
