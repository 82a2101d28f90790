#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# live_team.sh SKEIN SLOWING SLOW: --lb-mode auto of a job of which nothing is known but what deciding together takes, by a
# calibration: it becomes lazy with two PEs that decide, and inline again where that was slower (live.sh has one PE that
# decides). SLOW has strategies that take their time (tests/job/strategies/slow.cpp).
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 slowing=$2 slow=$3

# Of a strategy that alone takes as long as an interval, the calibration says that two decide in half the time. Three
# ranks have the work, and at every second decision two of them are others, which the PE of the third has until then:
# with one PE less to compute, a decision comes half as many points later, and that is faster.
printf '%s\n' '{"decision_ns": {"lasting": 0}, "together": {"element_ns": {"lasting": 1e6}, "pes": {"lasting": 2}}}' >two.platform
"$skein" run -p 5 -n 15 -v --lb "$slow:lasting" --lb-period 20 --lb-mode auto:platform=two.platform --lb-report run.report \
  "$slowing" 212 130 7 0 40 >run.out 2>run.err || fail "exit status $?"
"$skein" run -p 2 -n 15 "$slowing" 212 1000 >unmoved.out 2>unmoved.err || fail "unmoved: exit status $?"
cmp unmoved.out run.out >&2 || fail 'the program printed something else than unmoved'
says 'LB mode from sync point 100 on: lazy:pes=2: '
says 'LB mode from sync point (1[89]|2)[0-9]+ on: inline: sync points came faster so'
# Between them they are told of all ranks, by the PEs that compute; before and after that nobody is told.
python3 - run.report <<'CHECK' || fail 'see above'
import json, sys

steps = [line for line in map(json.loads, open(sys.argv[1])) if "step" in line]
told = [step["decider_objects"] for step in steps]
together = [objects for objects in told if objects]
if not together or any(len(objects) != 2 or sum(objects) != 15 or 0 in objects for objects in together):
    sys.exit(f"deciders were told of {told} ranks")
if told[:5] != [None] * 5 or told[-1]:
    sys.exit(f"deciders were told of {told} ranks, also where the job was inline")
CHECK
