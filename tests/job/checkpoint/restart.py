#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""restart.py SKEIN PROGRAM RANKS AMPI_PROGRAM: a job that is killed behind a checkpoint continues on any number of PEs, and so does each
state that it has left; its output and files are, bit by bit, those of a run without a break."""
import glob
import os
import subprocess
import sys

from jobs import Job, fail, lines_of, states, work_folder

skein, program, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
STEPS = "24"
folder = work_folder()


def check(job, head=""):
    """Checks that the job's output is the end of that of the run without a break, and that `head` is its beginning."""
    if not whole.endswith(job.out()) or not job.out() or not (head + job.out()).startswith(whole[: len(head)]):
        fail("other results than without a break", job)
    if lines_of(ranks) != files:
        fail("other files than without a break", job)


whole_job = Job(skein, ["-p", "2", "-n", str(ranks), program, STEPS], "whole").end()
whole, files = whole_job.out(), lines_of(ranks)

# The job is killed in the middle, so that only its states are left; it continues once the file that the program awaits is there.
for pes in (1, 2, 3, 4):
    ck, go = f"killed-{pes}", f"go-{pes}"
    job = Job(skein, ["-p", "2", "-n", str(ranks), "--checkpoint", ck + ":every=0.01s,keep=2", program, STEPS, go], ck)
    middle = f"step {int(STEPS) // 2}:"
    job.wait_for("the middle", lambda: middle in job.out())
    for what in ("a state, which may have begun before", "one of the middle"):
        seen = "".join(states(ck)[-1:])
        job.wait_for(what, lambda: "".join(states(ck)[-1:]) > seen)
    job.kill()
    if len(states(ck)) > 3:
        fail(f"{len(states(ck))} states instead of 2", job)
    open(go, "w").close()
    again = Job(skein, ["-p", str(pes), "--restart", ck, program, STEPS, go], f"again-{pes}").end()
    check(again, job.out())
    if job.out() + again.out() != whole:
        fail("something is missing or there twice", job, again)

# A state on demand, long before the next one is due.
job = Job(skein, ["-p", "2", "-n", str(ranks), "--checkpoint", "asked:every=1h", program, STEPS, "go-later"], "asked")
job.wait_for("the middle", lambda: middle in job.out())
for number in (1, 2):
    done = subprocess.run([skein, "checkpoint", "now", "asked"], capture_output=True, text=True, timeout=60)
    if done.stdout != f"asked/state-{number:06}\n" or done.returncode != 0 or states("asked")[-1] != done.stdout.strip():
        fail(f"skein checkpoint now: {done}, {states('asked')}", job)
job.kill()
open("go-later", "w").close()
check(Job(skein, ["-p", "3", "--restart", "asked", program], "behind").end(), job.out())

# A state that the program itself asks for, long before the next one would be due.
job = Job(skein, ["-p", "2", "-n", "3", "--checkpoint", "wished:every=1h", sys.argv[4], "wished"], "wished").end()
again = Job(skein, ["-p", "1", "--restart", "wished", sys.argv[4]], "behind-wish").end()
if states("wished") != ["wished/state-000001"] or job.out() != again.out():
    fail("no state at the wish of the program", job, again)

# Restarts from all states that a job leaves, from the first to the last.
STEPS = "240"
whole_job = Job(skein, ["-p", "2", "-n", str(ranks), program, STEPS], "whole").end()
whole, files = whole_job.out(), lines_of(ranks)
job = Job(skein, ["-p", "3", "-n", str(ranks), "--checkpoint", "all:every=0.001s,keep=1000", program, STEPS], "all").end()
if job.out() != whole:
    fail("other results with checkpoints", job)
left = states("all")
if len(left) < 3:
    fail("too few states", job)
if not glob.glob("all/state-*/image-*.zst.*"):
    fail("no state has files of earlier ones, of what has not changed", job)
for number, state in enumerate(left[:: 1 + len(left) // 8]):
    check(Job(skein, ["-p", str(1 + number % 4), "--restart", state, program], "each").end())
print(f"{len(left)} states")
