#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""resize.py SKEIN PROGRAM RANKS: a job goes on on more PEs and on fewer, as skein resize says, with the same results; and
what cannot be is refused."""
import os
import subprocess
import sys

from jobs import Job, fail, lines_of, work_folder

skein, program, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
STEPS = "24"
folder = work_folder()

whole_job = Job(skein, ["-p", "2", "-n", str(ranks), program, STEPS], "whole").end()
whole, files = whole_job.out(), lines_of(ranks)

job = Job(skein, ["-p", "2", "-n", str(ranks), "--survive", program, STEPS, "go"], "resized")
middle = f"step {int(STEPS) // 2}:"
job.wait_for("the middle", lambda: middle in job.out())


def resize(words, status, text):
    done = subprocess.run([skein, "resize"] + words, capture_output=True, text=True, timeout=60)
    if done.returncode != status or text not in done.stdout + done.stderr:
        fail(f"skein resize {words}: status {done.returncode}, {done.stdout}{done.stderr}", job)


me = str(job.process.pid)
was = 2
for pes in (3, 1, 4, 2):
    resize([me, "-p", str(pes)], 0, f"on {pes} PEs")
    job.wait_for("a word about it", lambda: f"goes on on {pes} PEs instead of {was}" in job.err())
    job.wait_for("its PEs", lambda: len(job.pes()) == pes)
    was = pes
resize([me], 2, "usage")
resize([me, "-p", "0"], 2, "'0'")
resize([me, "-p", "60000"], 2, "60000")
resize(["1", "-p", "2"], 2, "no job 1")
open("go", "w").close()
job.end()
if job.out() != whole or lines_of(ranks) != files:
    fail("other results than on 2 PEs from the beginning to the end", job, whole)
