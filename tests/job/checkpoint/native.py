#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""native.py SKEIN PROGRAM KIND: a native program that is killed behind a state continues on any number of PEs, and so does each state
that it has left; its output is, bit by bit, that of a run without a break."""
import re
import sys

from jobs import Job, fail, states, work_folder

skein, program, kind = sys.argv[1:]
STEPS = 120
folder = work_folder()


def stencil(steps):
    """Returns the output of 16 blocks, each of which doubles its value, modulo a prime."""
    return "".join(f"step {step}: {16 * pow(2, step, 1000003)}\n" for step in range(steps + 1))


def flow(steps):
    return "".join(stencil(steps).splitlines(True)[1:])


def sparse(steps):
    """Returns the output of 12 chains of one element each, whose age grows by one a step, through its successors, too, and
    which has a vector of threes."""
    return "".join(f"step {step}: {12 * step} of 12, 36\n" for step in range(steps + 1))


def step_of(text):
    return int(re.search(r"step (\d+)", text).group(1)) if text else 0


def check_kinds(text, pes, before):
    """Checks a run of kinds. Reductions of separate arrays are printed in any order; all of a step are there, and 12 cells count
    in each. Groups begin anew if the number of PEs is not the state's."""
    for step in range(step_of(text), STEPS + 1):
        if len(re.findall(rf"^step {step}: ", text, re.M)) != 4:
            return f"not 4 lines of step {step}"
    counted = 12 * (STEPS if pes == before else STEPS + 1 - step_of(text))
    if f"counted {counted}\n" not in text:
        return f"not {counted} counted"
    return ""


def check(job, pes, before):
    text = job.out()
    if kind == "kinds":
        why = check_kinds(text, pes, before)
        if ("groups are made anew" in job.err()) != (pes != before):
            fail("a warning of groups that is not true, or none", job)
        mine, all_lines = (sorted(line for line in of.splitlines() if line.startswith("step")) for of in (text, whole))
        first = step_of(text)
        if why or not text or mine != [line for line in all_lines if step_of(line) >= first]:
            fail(why or "other results than without a break", job)
    elif not text or not whole.endswith(text):
        fail("other results than without a break", job)


words = [program, kind, str(STEPS)]
whole_job = Job(skein, ["-p", "2", "--deterministic"] + words, "whole").end()
whole = whole_job.out()
if kind == "kinds":
    check(whole_job, 2, 2)
elif whole != {"stencil": stencil, "flow": flow, "sparse": sparse}[kind](STEPS):
    fail("the run without a break is wrong", whole_job)

# The job is killed behind a state, and behind one that it has written after a restart.
before = {"from": 2, "state": "killed"}
job = Job(skein, ["-p", "2", "--deterministic", "--checkpoint", "killed:every=0.01s,keep=2"] + words, "killed")
job.wait_for("two states", lambda: len(states("killed")) == 2)
job.kill()
second = Job(skein, ["-p", "3", "--deterministic", "--restart", "killed", "--checkpoint", "second:every=0.01s"] + words, "second")
second.wait_for("a state", lambda: states("second"))
second.kill()
for folder_of, pes_before in (("killed", 2), ("second", 3)):
    for pes in (1, 2, 3):
        again = Job(skein, ["-p", str(pes), "--deterministic", "--restart", folder_of] + words, f"{folder_of}-{pes}").end()
        if folder_of == "killed" or kind != "kinds":  # whose groups have begun anew before
            check(again, pes, pes_before)

# States that a job leaves, which balances, too.
job = Job(skein, ["-p", "3", "--deterministic", "--lb", "rotate", "--lb-period=1", "--checkpoint", "all:every=0.001s,keep=1000"] + words,
          "all").end()
check(job, 3, 3)
left = states("all")
if len(left) < 3:
    fail("too few states", job)
for number, state in enumerate(left[:: 1 + len(left) // 4]):
    pes = 1 + number % 3
    check(Job(skein, ["-p", str(pes), "--deterministic", "--restart", state] + words, "each").end(), pes, 3)
print(f"{len(left)} states")
