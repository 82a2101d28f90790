#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""resize.py SKEIN PROGRAM RANKS: a job continues with more and with fewer PEs after skein resize and SIGTERM to a PE, with the
same results; and impossible sizes are refused."""
import os
import signal
import subprocess
import sys

from jobs import Job, Subject, fail, newest_in_memory, work_folder

skein, subject = sys.argv[1], Subject(*sys.argv[2:4])
STEPS = "24"
folder = work_folder()

whole_job = Job(skein, ["-p", "2", *subject.words(STEPS)], "whole").end()
whole, files = whole_job.out(), subject.files()

job = Job(skein, ["-p", "2", "--survive=every=0.2s,grace=2s", *subject.words(STEPS, "go")], "resized")
middle = f"step {int(STEPS) // 2}:"
job.wait_for("the middle", lambda: middle in job.out())


def resize(words, status, text):
    done = subprocess.run([skein, "resize"] + words, capture_output=True, text=True, timeout=60)
    if done.returncode != status or text not in done.stdout + done.stderr:
        fail(f"skein resize {words}: status {done.returncode}, {done.stdout}{done.stderr}", job)


me = str(job.process.pid)
was = 2
for pes in (3, 1, 4, 2):
    resize([me, "-p", str(pes)], 0, f"with {pes} PEs")
    job.wait_for("a word about it", lambda: f"goes on with {pes} PEs instead of {was}" in job.err())
    job.wait_for("its PEs", lambda: len(job.pes()) == pes)
    was = pes
resize([me], 2, "usage")
resize([me, "-p", "0"], 2, "'0'")
resize([me, "-p", "60000"], 2, "60000")
resize(["1", "-p", "2"], 2, "no job 1")

# One of three PEs leaves at a sync point, then one of two without a sync point, since the other stands still.
resize([me, "-p", "3"], 0, "with 3 PEs")
job.wait_for("its PEs", lambda: len(job.pes()) == 3)
before = newest_in_memory(job)
job.wait_for("a state, so that all have started", lambda: newest_in_memory(job) > before)
os.kill(job.pes()[1], signal.SIGTERM)
job.wait_for("one PE less", lambda: "goes on with 2 PEs instead of 3" in job.err())
before = newest_in_memory(job)
job.wait_for("a state, so that all have started", lambda: newest_in_memory(job) > before)
leaves, stands = job.pes()
os.kill(stands, signal.SIGSTOP)
os.kill(leaves, signal.SIGTERM)
job.wait_for("its death", lambda: f"process {leaves}, died; the job goes on from state" in job.err())
if "on 1 PEs" not in job.err().splitlines()[-1]:
    fail("not one PE less", job)
open("go", "w").close()
job.end()
if job.out() != whole or subject.files() != files:
    fail("other results than on 2 PEs from the beginning to the end", job, whole)
