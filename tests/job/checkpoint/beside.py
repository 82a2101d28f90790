#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""beside.py SKEIN PROGRAM RANKS LIBRARY: states are written into files while ranks continue. Their changes meanwhile are not in
the state; a job that is killed meanwhile continues from the state before; a job that ends waits for the state; a failure is
reported, and the job continues; and without memory for a copy ranks stand still."""
import os
import subprocess
import sys
import time

from jobs import Job, fail, lines_of, states, work_folder

skein, program, ranks, library = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
STEPS = "24"
folder = work_folder()
whole_job = Job(skein, ["-p", "2", "-n", str(ranks), program, STEPS], "whole").end()
whole, files = whole_job.out(), lines_of(ranks)
middle = f"step {int(STEPS) // 2}:"
CHECKPOINT = ["--checkpoint", "ck:every=0.001s,keep=1000"]


def start(name, words, go="go", **variables):
    return Job(skein, words + CHECKPOINT + [program, STEPS, go], name, {"LD_PRELOAD": library, **variables})


def touch(name):
    open(name, "w").close()


def check(state):
    """Restarts from the state, checks that the output is the end of that without a break, and returns the output."""
    again = Job(skein, ["-p", "3", "--restart", state, program, STEPS, "go"], "again", {"LD_PRELOAD": library}).end()
    if not again.out() or not whole.endswith(again.out()) or lines_of(ranks) != files:
        fail(f"other results than without a break, from {state}", again)
    return again.out()


def under_way():
    return [name for name in os.listdir("ck") if name.startswith(".writing-")]


# The first state begins at one of the first steps, and is written in the middle; another one is wanted meanwhile.
job = start("changed", ["-p", "2", "-n", str(ranks)], FAILING_IN="/.writing-000001/", FAILING_HOLD="release")
job.wait_for("the middle", lambda: middle in job.out())
now = subprocess.Popen([skein, "checkpoint", "now", "ck"], stdout=subprocess.PIPE, text=True)
job.wait_for("its wish", lambda: os.path.exists("ck/wanted"))
if states("ck") or under_way() != [".writing-000001"] or now.poll() is not None:
    fail(f"not one state under way: {os.listdir('ck')}", job)
touch("release")
if now.wait(60) != 0 or (wanted := now.stdout.read().strip()) <= "ck/state-000001" or wanted not in states("ck"):
    fail(f"the state that was wanted: {wanted}, {states('ck')}", job)
job.kill()
touch("go")
if middle not in check("ck/state-000001"):
    fail("the first state is not one of the first steps", job)
check(wanted)

# The job is killed while a state is written.
os.remove("go")
os.remove("release")
was = states("ck")
job = start("killed", ["-p", "2", "--restart", "ck/state-000001"], FAILING_IN="/.writing-", FAILING_HOLD="release")
job.wait_for("the middle", lambda: middle in job.out())
job.kill()
if states("ck") != was or len(under_way()) != 1:
    fail(f"not the states that were there before: {was}, {os.listdir('ck')}", job)
touch("go")
check("ck")

# The job ends while a state is written.
job = start("ended", ["-p", "2", "--restart", "ck/state-000001"], FAILING_IN="/.writing-", FAILING_HOLD="release")
job.wait_for("its last words", lambda: "all as it should be" in job.out())
time.sleep(0.3)
if job.process.poll() is not None or states("ck") != was:
    fail("the end has not waited for a state", job)
touch("release")
job.end()
if len(states("ck")) != len(was) + 1 or under_way():
    fail(f"not one state more than {was}: {os.listdir('ck')}", job)
check("ck")

# The disk of one PE is full for a while, which the others notice.
os.remove("go")
touch("full")
was = states("ck")
job = start("full", ["-p", "2", "--restart", "ck/state-000001"], FAILING_IN="/image-1.zst", FAILING_FULL="full")
job.wait_for("the middle", lambda: middle in job.out())
said = "/image-1.zst: cannot be written: No space left on device; the one before it stays valid"
job.wait_for("a word about it", lambda: f"[0] no checkpoint in {os.path.abspath('ck')}: " in job.err() and said in job.err())
if states("ck") != was:
    fail(f"not the states that were there before: {was}, {os.listdir('ck')}", job)
os.remove("full")
job.wait_for("another state", lambda: states("ck") != was)
touch("go")
job.end()
check("ck")

# There is no memory for copies.
os.remove("go")
touch("short")
was = states("ck")
job = start("short", ["-p", "2", "--restart", "ck/state-000001"], FAILING_COPIES="short")
job.wait_for("other states", lambda: len(states("ck")) > len(was) + 1)
if job.err().count("are written while the ranks stand still: no memory is left for a copy") != 2:
    fail("not told once by each PE", job)
touch("go")
job.end()
check("ck")
