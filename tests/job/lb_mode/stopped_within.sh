#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# stopped_within.sh SKEIN PROGRAM SLOW: a reserved PE stops (SIGSTOP) while it decides, and all others are in the same LB
# step. The job says which PE waits for which, and ends if asked to; else it goes on once the PE does. SLOW has a strategy
# that stops its PE (tests/job/strategies/slow.cpp).
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 program=$2 slow=$3

begin() {
  mark=$1
  : >run.err  # the previous run's messages do not belong to this run
  JOB_TEST_MARK=$work/$mark "$skein" run -p 3 -n 6 --lb "$slow:standing" --lb-period 1 --lb-mode "$1" "$program" 30 >run.out 2>run.err &
  job=$!
}

"$skein" run -p 2 -n 6 "$program" 30 >alone.out 2>alone.err || fail "exit status $? without balancing"

begin decoupled:reserved,patience=1
wait_for "grep -q 'PE 2, which only decides, has kept all others waiting within an LB step' run.err" ||
  fail "it is not told that PE 2 keeps the others"
says 'and may still decide, or be stopped, or cut off: .*the job waits until it is over .*decoupled:reserved,patience=, silent='
kill -CONT "$(pid_of_pe 2 "$work/$mark")"
ends_with 0
says 'the LB step goes on, after [0-9.]+ s'
cmp alone.out run.out >&2 || fail "the program printed something else"

begin decoupled:reserved,patience=1,silent=end
ends_with 1
says 'PE 2, which only decides, has kept all others waiting within an LB step .*: the job ends'
