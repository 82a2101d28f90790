#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""survive.py SKEIN PROGRAM RANKS TIMES: PEs of a job are killed at random times, so many in all, and it ends with the
results of a run that nobody disturbs."""
import os
import random
import signal
import sys
import time

from jobs import Job, fail, lines_of, work_folder

skein, program, ranks, times = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
STEPS = "24"
folder = work_folder()
seed = random.randrange(1 << 30)
print("seed", seed)
draw = random.Random(seed)

whole_job = Job(skein, ["-p", "2", "-n", str(ranks), program, STEPS], "whole").end()
whole, files = whole_job.out(), lines_of(ranks)

job = Job(skein, ["-p", "2", "-n", str(ranks), "--survive=every=0.05s", program, STEPS, "go"], "survived")
memory = f"/dev/shm/skein-states-{job.process.pid}"


def newest():
    try:
        return max((name for name in os.listdir(memory) if name.startswith("state-")), default="")
    except FileNotFoundError:
        return ""


for time_ in range(times):
    # Between any two a state was left, so that the job does not take it for a fault that repeats.
    before = newest()
    job.wait_for("a new state", lambda: newest() > before and len(job.pes()) == 2)
    time.sleep(draw.random() * 0.2)
    pes = job.pes()
    if pes:
        try:
            os.kill(draw.choice(pes), signal.SIGKILL)
        except ProcessLookupError:
            continue
        told = f"the job goes on from state"
        job.wait_for("a word about it", lambda: job.err().count(told) > time_)
open("go", "w").close()
job.end()
if job.out() != whole:
    fail("other results than undisturbed", job, whole)
if lines_of(ranks) != files:
    fail("other files than undisturbed", job)
if os.path.exists(memory):
    fail(f"{memory} is left", job)
