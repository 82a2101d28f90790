#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""asked.py SKEIN PROGRAM RANKS OTHER: states that a program requests by MPIX_Checkpoint(), and a user by SIGUSR1 and SIGUSR2:
each is written, and a restart from it has the results of a run without a break. OTHER is continued.c."""
import os
import signal
import sys
import time

from jobs import Job, fail, newest_in_memory, states, work_folder

skein, program, ranks, other = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
folder = work_folder()
STEPS = 5


def run(name, options, *words, status=0, pes=2):
    return Job(skein, ["-p", str(pes), "-n", str(ranks), *options, program, *words], name).end(status)


def lb_steps(file):
    return sum('"step"' in line for line in open(file))


# Without an option the call does nothing.
whole = run("whole", [], "steps").out()
if whole.count("step ") != STEPS:
    fail("not all steps: " + whole)

for name, options in (("plain", []), ("balanced", ["--lb", "rotate", "--lb-period", "2"]), ("clocked", ["--lb", "rotate", "--lb-period", "0.01s"])):
    job = run(name, options + ["--checkpoint", f"{name}:every=1h,keep=100"], "steps", name, pes=3)
    if len(states(name)) != STEPS or job.out() != whole or job.err().count("checkpoint"):
        fail(f"not {STEPS} states, {states(name)}, or other results", job)
    for number, state in enumerate(states(name) if name == "plain" else states(name)[1::3]):
        again = Job(skein, ["-p", str(1 + number % 3), "--restart", state, program], "again").end()
        if not again.out() or not whole.endswith(again.out()) or again.out().count("step ") != STEPS + 1 - int(state[-6:]):
            fail(f"other results behind {state}", job, again)

# The steps of the strategy are the same as without states.
for name, options in (("reported", []), ("saved", ["--checkpoint", "counted:every=1h"])):
    run(name, ["--lb", "rotate", "--lb-period", "2", "--lb-report", name, *options], "steps")
if lb_steps("reported") != lb_steps("saved") or lb_steps("saved") < 2:
    fail(f"{lb_steps('saved')} LB steps with states and {lb_steps('reported')} without")

job = run("dies", ["--survive=every=1h"], "dies")
if job.out() != whole or "died; the job goes on from state 000003" not in job.err():
    fail("not from the state that the program asked for", job)

# Other states are written meanwhile, where some ranks have stopped in the call and others in waits.
job = run("late", ["--checkpoint", "late:every=0.02s,keep=100"], "late")
if len(states("late")) < 4:
    fail(f"only {states('late')}", job)
for state in states("late")[:: 1 + len(states("late")) // 6]:
    Job(skein, ["-p", "3", "--restart", state, program], "late-again").end()

job = run("pinned", ["--checkpoint", "pinned:every=1h"], "pinned")
if states("pinned") != ["pinned/state-000001"] or job.err().count("rank 1 cannot be saved while") != 1:
    fail("not told what hinders it", job)

job = run("alone", ["--checkpoint", "alone:every=1h"], "alone", status=1)
if states("alone") or "in MPIX_Checkpoint, for the other ranks" not in job.err():
    fail("not told that one calls it alone", job)
run("alone-without", [], "alone")

# Signals, to skein run and to a PE, long before the next state is due.
for name, pes in (("one", 1), ("two", 2)):
    job = Job(skein, ["-p", str(pes), "-n", str(ranks), "--checkpoint", f"{name}:every=1h", other, "4", f"go-{name}"], name)
    job.wait_for("the middle", lambda: "step 2:" in job.out())
    for number, which in enumerate((signal.SIGUSR1, signal.SIGUSR2)):
        os.kill(job.process.pid, which)
        job.wait_for(f"the state by {which.name}", lambda: len(states(name)) == number + 1)
    time.sleep(1.5)  # the PEs ask each other whether one is wanted once a second
    if len(states(name)) != 2:
        fail(f"{states(name)} by two signals", job)
    open(f"go-{name}", "w").close()
    job.end()
job = Job(skein, ["-p", "2", "-n", str(ranks), "--survive=every=1h", other, "4", "go-survive"], "survive")
job.wait_for("the middle", lambda: "step 2:" in job.out())
os.kill(job.pes()[1], signal.SIGUSR1)
job.wait_for("the state", lambda: newest_in_memory(job) == "state-000001")
open("go-survive", "w").close()
job.end()

# A signal that the program handles stays the program's own.
job = Job(skein, ["-p", "2", "-n", str(ranks), "--checkpoint", "own:every=1h", program, "signals"], "own")
job.wait_for("its handler", lambda: os.path.exists("ready"))
os.kill(job.process.pid, signal.SIGUSR1)
job.end()
if job.out() != "asked_states: all as it should be\n":
    fail("not all as it should be", job)
