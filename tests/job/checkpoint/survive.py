#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""survive.py SKEIN PROGRAM RANKS TIMES: PEs of a job are killed so many times in all, at random moments while they compute or
write a state. The job ends with the results of one that nobody disturbs."""
import os
import random
import signal
import sys
import time

from jobs import Job, fail, lines_of, newest_in_memory, work_folder

skein, program, ranks, times = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
STEPS = "24"
folder = work_folder()
seed = random.randrange(1 << 30)
print("seed", seed)
draw = random.Random(seed)

whole_job = Job(skein, ["-p", "2", "-n", str(ranks), program, STEPS], "whole").end()
whole, files = whole_job.out(), lines_of(ranks)

job = Job(skein, ["-p", "2", "-n", str(ranks), "--survive=every=0.02s", program, STEPS, "go"], "survived")
memory = f"/dev/shm/skein-states-{job.process.pid}"
killed = {}


def kill_one(when):
    """A PE, if there is one at the moment."""
    there = job.pes()
    if not there:
        return False
    try:
        os.kill(draw.choice(there), signal.SIGKILL)
    except ProcessLookupError:
        return False
    killed[when] = killed.get(when, 0) + 1
    return True


def is_writing():
    return any(name.startswith(".writing-") for name in os.listdir(memory))


def deaths():
    return job.err().count("the job goes on ")


while sum(killed.values()) < times:
    # A state was left since the last one, so that the job does not take it for a fault that repeats, and PEs run.
    before = newest_in_memory(job)
    job.wait_for("a new state", lambda: newest_in_memory(job) > before)
    when = draw.choice(["computing", "writing"])
    if when == "writing":
        job.wait_for("a state that is being written", is_writing)
    else:
        time.sleep(draw.random() * 0.2)
    kill_one(when)
print(killed, deaths(), "times told")
open("go", "w").close()
job.end()
if job.out() != whole:
    fail("other results than undisturbed", job, whole)
if lines_of(ranks) != files:
    fail("other files than undisturbed", job)
if os.path.exists(memory):
    fail(f"{memory} is left", job)
