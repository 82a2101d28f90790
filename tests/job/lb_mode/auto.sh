#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# auto.sh SKEIN PROGRAM SLOW: --lb-mode auto takes the mode that takes least, by the report of an earlier run. SLOW has
# strategies that take their time (slow.cpp).
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 program=$2 slow=$3

# auto NAME WORDS...: runs the program with these, and says what mode was taken.
auto() {
  local name=$1
  shift
  "$skein" run -p 2 -n 6 -v --lb-period 1 "$@" "$program" 30 >"$name.out" 2>"$name.err" || fail "$name: exit status $?"
  grep -o 'LB mode [a-z]*' "$name.err" || fail "$name: no mode was chosen"
}

"$skein" run -p 2 -n 6 --lb-period 1 --lb "$slow:sleepy:ms=100" --lb-report slow.report "$program" 30 >slow.out 2>slow.err ||
  fail "slow: exit status $?"
# A decision takes as long as many points, so that it is not to be waited for.
[[ $(auto lazily --lb "$slow:sleepy:ms=100" --lb-mode auto:report=slow.report) == 'LB mode lazy' ]] ||
  fail "a slow strategy was waited for"
# Strategies that call MPI, or may, decide beside the others, too.
[[ $(auto all --lb auto --lb-mode auto:report=slow.report) == 'LB mode lazy' ]] || fail "auto was waited for"
# Lazy jobs ask at every K-th sync point; where the period is a time, nobody is to be spared.
[[ $(auto timed --lb greedy --lb-period 1s --lb-mode auto:report=slow.report) == 'LB mode inline' ]] ||
  fail "lazy was chosen for a period in seconds"
[[ $(auto unknown --lb greedy --lb-mode auto) == 'LB mode inline' ]] || fail "without a report it is not inline"
# The run's own steps are learned from, for the next one.
"$skein" run -p 2 -n 6 --lb-period 1 --lb "$slow:sleepy:ms=100" --lb-mode auto "$program" 30 >own.out 2>own.err ||
  fail "own: exit status $?"
grep -q 'LB mode: inline, .*; the inline steps of this run say lazy:pes=1: .* inline .*: next time --lb-mode lazy:pes=1$' own.err ||
  fail "a run does not say which mode would have taken least"
"$skein" run -p 2 -n 6 --lb greedy --lb-mode auto "$program" 30 >short.out 2>short.err || fail "short: exit status $?"
# Of runs on several numbers of PEs.
"$skein" run -p 3 -n 6 --lb-period 1 --lb "$slow:sleepy:ms=100" --lb-mode decoupled --lb-report decoupled.report "$program" 30 \
  >decoupled.out 2>decoupled.err || fail "decoupled: exit status $?"
[[ $(auto several --lb "$slow:sleepy:ms=100" --lb-mode auto:report=slow.report,report=decoupled.report) == 'LB mode lazy' ]] ||
  fail "a slow strategy was waited for, by two reports"
for wrong in auto:report= auto:report=slow.report, auto:file=slow.report auto:report=slow.report,slow.report; do
  if "$skein" run -p 2 -n 6 --lb greedy --lb-mode "$wrong" "$program" 30 >wrong.out 2>wrong.err; then fail "$wrong is taken"; fi
  grep -q "report=FILE" wrong.err || fail "$wrong: it does not say what is valid"
done
grep -q 'nothing is known of this job' unknown.err || fail "it does not say that nothing is known"
cmp slow.out lazily.out >&2 || fail "the program printed something else in mode lazy"
