#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# auto.sh SKEIN PROGRAM SLOW: a job with --lb-mode auto says which mode would have taken least, by its own steps. SLOW has
# strategies that take their time (tests/job/strategies/slow.cpp).
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 program=$2 slow=$3

# auto OPTIONS...: checks the mode by the LB steps of twenty sync points, as the closing line reports it.
auto() {
  "$skein" run -p 2 -n 6 -v --lb-mode auto "$@" "$program" 30 >run.out 2>run.err || fail "$*: exit status $?"
  says 'LB mode inline at first: nothing is known of this job; '
}

auto --lb-period 1 --lb "$slow:sleepy:ms=100"
says 'LB mode: inline, .*; the inline steps of this run say lazy:pes=1: .* inline .*: next time --lb-mode lazy:pes=1$'
cp run.out lazy.out
# With a period in seconds a job cannot be lazy.
auto --lb-period 0.001s --lb "$slow:sleepy:ms=100"
says 'LB mode: inline; the inline steps of this run say inline: .*; deciding takes 0.1[0-9]* s: next time --lb-mode inline$'
cmp lazy.out run.out >&2 || fail "the program printed something else in mode lazy"
auto --lb greedy  # the period is longer than half the run

# Modes from earlier runs and from platforms are refused, with a hint to record the run.
for old in auto:report=slow.report auto:report=a,report=b auto:platform=here.platform auto:report=a,platform=b auto:; do
  if "$skein" run -p 2 -n 6 --lb greedy --lb-mode "$old" "$program" 30 >run.out 2>run.err; then fail "$old is taken"; fi
  says "mode 'auto' has no keys, .*skein tune TRACE --lb-mode all --platform FILE"
done
