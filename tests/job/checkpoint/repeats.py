#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""repeats.py SKEIN PROGRAM RANKS: a job with --survive continues after faults. If the same fault repeats, it ends and says so,
even if it left a new state before each fault."""
import os
import re
import sys

from jobs import Job, Subject, fail, newest_in_memory, work_folder

skein, subject = sys.argv[1], Subject(*sys.argv[2:4])
STEPS = "24"
folder = work_folder()
whole_job = Job(skein, ["-p", "2", *subject.words(STEPS)], "whole").end()
whole, files = whole_job.out(), subject.files()


def start(name):
    job = Job(skein, ["-p", "2", "--survive=every=0.02s", *subject.words(STEPS, "go")], name)
    middle = f"step {int(STEPS) // 2}:"
    job.wait_for("the middle", lambda: middle in job.out())
    return job


def die(job, how):
    """Lets the job die by that fault, after a state that is newer than the last death."""
    before = newest_in_memory(job)
    job.wait_for("a new state", lambda: newest_in_memory(job) > before)
    with open("die.new", "w") as file:
        file.write(how)
    os.rename("die.new", "die")


# Each fault is at another place than the one before.
job = start("various")
for time_, how in enumerate("sadsad"):
    die(job, how)
    job.wait_for("a word about it", lambda: job.err().count("the job goes on from state") > time_)
open("go", "w").close()
job.end()
os.remove("go")
if job.out() != whole or subject.files() != files:
    fail("other results than undisturbed", job, whole)
# A native program does not export the names of its functions.
place = f"{subject.program}(die_if_asked" if subject.ranks else f"{subject.name}()"
# Of a rank that calls abort() its process makes an orderly end, so that no place is told.
aborted = "by signal 6" if subject.ranks else f"by a fault: aborted at {place}"
for said in (f"by a fault: segmentation fault at {place}", aborted, f"by a fault: arithmetic exception at {place}"):
    if job.err().count("skein run: a PE died " + said) != 2:
        fail(f"not twice: {said}", job)

# At another place, then three times at one.
job = start("repeated")
for time_, how in enumerate("dss"):
    die(job, how)
    job.wait_for("a word about it", lambda: job.err().count("the job goes on from state") > time_)
die(job, "s")
job.end(128 + 11)
if not re.search(r"skein run: a PE died by a fault: segmentation fault at \S+\) \[0x[0-9a-f]+\], for the "
                 r"3\. time there: the fault repeats, and the job ends", job.err()):
    fail("no word of a fault that repeats", job)
if os.path.exists(f"/dev/shm/skein-states-{job.process.pid}"):
    fail("states are left", job)
