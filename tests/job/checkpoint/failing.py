#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""failing.py SKEIN PROGRAM RANKS LIBRARY: each system call that writes a state fails in turn, and a job is killed at such
calls: the job continues and reports the failure, all its states are whole, and the newest one allows a restart."""
import os
import subprocess
import sys

from jobs import Job, fail, lines_of, states, work_folder

skein, program, ranks, library = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
STEPS = "24"
folder = work_folder()
whole_job = Job(skein, ["-p", "1", "-n", str(ranks), program, STEPS], "whole").end()
whole, files = whole_job.out(), lines_of(ranks)


def start(name, words, **variables):
    return Job(skein, words + [program, STEPS, "go"], name, {"LD_PRELOAD": library, **variables})


def check(ck):
    for state in states(ck):
        done = subprocess.run([skein, "checkpoint", "check", state], capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            fail(f"{state}: {done.stdout}{done.stderr}")


def newest(ck):
    return states(ck)[-1] if states(ck) else ""


def log():
    return open("log").read().split() if os.path.exists("log") else []


job = start("failing", ["-p", "1", "-n", str(ranks), "--checkpoint", "ck:every=0.001s,keep=2"], FAILING_IN="ck/", FAILING_LOG="log")
# Once states are written and no call fails any more, all have.
while True:
    failed, before = len(log()), newest("ck")
    for _ in range(3):
        job.wait_for("a new state", lambda: newest("ck") > before)
        before = newest("ck")
    if len(log()) == failed:
        break
open("go", "w").close()
job.end()
if job.out() != whole or lines_of(ranks) != files:
    fail("other results than undisturbed", job)
check("ck")
calls = log()
for name in ("mkdir", "open", "write", "close", "fsync", "rename", "fopen", "fwrite", "fclose", "unlinkat"):
    if name not in calls:
        fail(f"no {name}() has failed, of {calls}")
for said in ("made: No space left", "written: No space left", "written: Too many open files", "written: Input/output error",
             "written: Disk quota exceeded", "written: Permission denied", "made of what was written: Input/output error"):
    if not any(line.startswith(f"[0] no checkpoint in {os.getcwd()}/ck: {os.getcwd()}/ck/") and said in line for line in job.err().splitlines()):
        fail(f"not said: '{said}'", job)
for said in ("Input/output error", "Device or resource busy"):
    if f"cannot be removed: {said}" not in job.err():
        fail(f"not said of an older one: '{said}'", job)

# From the third state on.
for call in range(2 * len(calls) + 1, 3 * len(calls), 3):
    ck = f"ck-{call}"
    os.remove("go")
    job = start(ck, ["-p", "1", "-n", str(ranks), "--checkpoint", ck + ":every=0.001s,keep=2"], FAILING_IN=ck + "/",
                FAILING_KILL=str(call)).end(-9)
    check(ck)
    open("go", "w").close()
    again = start("again", ["-p", "2", "--restart", ck]).end()
    if not again.out() or not whole.endswith(again.out()) or lines_of(ranks) != files:
        fail("other results than without a break", job, again)
print(len(calls), "calls failed:", *calls)
