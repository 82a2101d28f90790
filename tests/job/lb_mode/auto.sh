#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# auto.sh SKEIN PROGRAM SLOW: --lb-mode auto takes the mode that takes least, by the report of an earlier run. SLOW has
# strategies that take their time (tests/job/strategies/slow.cpp).
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
"$skein" run -p 3 -n 6 --lb-period 1 --lb "$slow:sleepy:ms=100" --lb-mode decoupled:reserved --lb-report decoupled.report "$program" 30 \
  >decoupled.out 2>decoupled.err || fail "decoupled: exit status $?"
[[ $(auto several --lb "$slow:sleepy:ms=100" --lb-mode auto:report=slow.report,report=decoupled.report) == 'LB mode lazy' ]] ||
  fail "a slow strategy was waited for, by two reports"
# A calibrated machine tells what several PEs that decide would take. A step takes 1 s on four PEs; deciding takes 8 s alone and
# 8 / m together. So inline takes 9 s, and decoupled 8 / m + 1, least if all four decide. By a period in seconds it cannot be lazy.
cat >four.report <<'END'
{"job":{"version":1,"pes":4,"objects":"ranks"}}
{"step":1,"points":1,"busy_s":[1,1,1,1],"decide_s":8,"move_s":0,"imbalance_before_percent":50,"imbalance_after_percent":0}
END
cat >here.platform <<'END'
{"name": "here", "decision_ns": {"random": 1}, "together": {"element_ns": {"random": 1000}, "pes": {"random": 2}}}
END
# four MODE: what is chosen.
four() {
  "$skein" run -p 4 -n 6 -v --lb-period 1s --lb random --lb-mode "$1" "$program" 30 >four.out 2>four.err || fail "$1: exit status $?"
  grep -o 'LB mode [^ ]*:' four.err || fail "$1: no mode was chosen"
  cmp slow.out four.out >&2 || fail "the program printed something else with $1"
}
[[ $(four auto:report=four.report) == 'LB mode inline:' ]] || fail "several decide, and nothing says how fast"
[[ $(four auto:report=four.report,platform=here.platform) == 'LB mode decoupled:pes=4:' ]] || fail "the calibration is not asked"
grep -q 'what PEs take that decide together is by here.platform, of up to 2$' four.err || fail "it does not say by what it was chosen"
"$skein" run -p 2 -n 6 -v --lb-period 1 --lb random --lb-mode auto:platform=here.platform "$program" 30 >alone.out 2>alone.err ||
  fail "alone: exit status $?"
grep -q 'LB mode inline at first: .*decide together is by here.platform, of up to 2;' alone.err || fail "a platform alone is not told"
grep -q 'LB mode: inline.*the inline steps of this run and the calibration say' alone.err || fail "a platform alone is not learned from"
echo '{"name": "empty"}' >empty.platform
for wrong in empty.platform four.report nowhere.platform; do
  if "$skein" run -p 2 -n 6 --lb random --lb-mode "auto:platform=$wrong" "$program" 30 >wrong.out 2>wrong.err; then fail "$wrong is taken"; fi
  grep -q -- "--lb-mode: $wrong: " wrong.err || fail "$wrong: it does not say what is wrong: $(<wrong.err)"
done
for wrong in auto:report= auto:platform= auto:platform=here.platform,platform=here.platform auto:report=slow.report, auto:file=slow.report auto:report=slow.report,slow.report; do
  if "$skein" run -p 2 -n 6 --lb greedy --lb-mode "$wrong" "$program" 30 >wrong.out 2>wrong.err; then fail "$wrong is taken"; fi
  grep -q "report=FILE" wrong.err || fail "$wrong: it does not say what is valid"
done
grep -q 'nothing is known of this job' unknown.err || fail "it does not say that nothing is known"
cmp slow.out lazily.out >&2 || fail "the program printed something else in mode lazy"
