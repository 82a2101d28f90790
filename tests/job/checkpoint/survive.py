#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""survive.py SKEIN PROGRAM RANKS TIMES [SEED]: kills processes of a job TIMES times at random moments: PEs while they
compute, move objects, write a state or end for a resize, any process while the MPI underneath starts, and the launcher. The job
ends with the results of an undisturbed job."""
import os
import random
import signal
import subprocess
import sys
import time

from jobs import Job, Subject, fail, newest_in_memory, work_folder

skein, subject, times = sys.argv[1], Subject(*sys.argv[2:4]), int(sys.argv[4])
STEPS = "24"
folder = work_folder()
seed = int(sys.argv[5]) if len(sys.argv) > 5 else random.randrange(1 << 30)
print("seed", seed, flush=True)
draw = random.Random(seed)

whole_job = Job(skein, ["-p", "2", *subject.words(STEPS)], "whole").end()
whole, files = whole_job.out(), subject.files()

# Every sync point is an LB step, and nearly every one has a state.
steps = ["--lb", "rotate", "--lb-period=1"] if draw.random() < 0.5 else []
job = Job(skein, ["-p", "2", "--survive=every=0.02s", *steps, *subject.words(STEPS, "go")], "survived")
memory = f"/dev/shm/skein-states-{job.process.pid}"
killed = {}


def kill_one(when, there):
    """Kills one of these processes, if there is one."""
    try:
        os.kill(draw.choice(there), signal.SIGKILL)
    except (IndexError, ProcessLookupError):
        return
    killed[when] = killed.get(when, 0) + 1


def is_writing():
    return any(name.startswith(".writing-") for name in os.listdir(memory))


def told():
    return job.err().count("the job goes on ")


def wait_for_state():
    before = newest_in_memory(job)
    job.wait_for("a new state", lambda: newest_in_memory(job) > before)


def computing():
    time.sleep(draw.random() * 0.2)
    kill_one("computing", job.pes())


def writing():
    job.wait_for("a state that is being written", is_writing)
    kill_one("writing", job.pes())


def starting():
    """Kills a process after another death, the second since the last state: a third would end the job."""
    before = told()
    kill_one("running", job.pes())
    job.wait_for("a word about it", lambda: told() > before)
    time.sleep(draw.random() * 0.8)
    kill_one("starting", job.descendants())


def launcher():
    kill_one("launcher", job.descendants()[:1])


def resizing():
    pes = draw.choice([1, 2, 3])
    resize = subprocess.Popen([skein, "resize", str(job.process.pid), "-p", str(pes)], stdout=subprocess.PIPE, text=True)
    time.sleep(draw.random() * 0.5)
    kill_one("resizing", job.descendants())
    job.wait_for("the other number of PEs", lambda: resize.poll() is not None)
    if resize.returncode != 0 or f"with {pes} PEs" not in resize.stdout.read():
        fail("skein resize", job)


time.sleep(draw.random() * 0.8)
kill_one("beginning", job.descendants())
while sum(killed.values()) < times:
    wait_for_state()  # since the last death, so that the job does not take it for a fault that repeats
    draw.choice([computing, writing, starting, launcher, resizing])()
print(killed, told(), "times told")
open("go", "w").close()
job.end()
if job.out() != whole:
    fail("other results than undisturbed", job, whole)
if subject.files() != files:
    fail("other files than undisturbed", job)
if os.path.exists(memory):
    fail(f"{memory} is left", job)
