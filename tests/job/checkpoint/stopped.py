#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stopped.py SKEIN PROGRAM RANKS COMPUTING: a PE that SIGSTOP stops for longer than --survive=stopped=TIME counts as dead, and the
job continues with the results of an undisturbed one. A PE that is stopped for less, by a debugger, or with the whole job is left
alone, and so is one whose ranks compute for longer without a call."""
import ctypes
import os
import signal
import subprocess
import sys
import time

from jobs import Job, fail, lines_of, newest_in_memory, work_folder

skein, program, ranks, computing = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
STEPS, STOPPED_S = "24", 0.5
folder = work_folder()
libc = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH, PTRACE_DETACH, WALL = 16, 17, 0x40000000

whole_job = Job(skein, ["-p", "2", "-n", str(ranks), program, STEPS], "whole").end()
whole, files = whole_job.out(), lines_of(ranks)

job = Job(skein, ["-p", "2", "-n", str(ranks), f"--survive=every=0.02s,stopped={STOPPED_S}s", program, STEPS, "go"], "stopped")


def told():
    return job.err().count("the job goes on ")


def wait_for_state():
    before = newest_in_memory(job)
    job.wait_for("a new state", lambda: newest_in_memory(job) > before)
    job.wait_for("both PEs", lambda: len(job.pes()) == 2)


def left_alone(why):
    """Checks that the job continues with these processes."""
    if told() != before_told or job.pes() != pes:
        fail(f"not left alone: {why}", job)
    wait_for_state()


for stopped in ([1], [0], [0, 1]):
    wait_for_state()
    pes, before_told = job.pes(), told()
    began = time.monotonic()
    for pe in stopped:
        os.kill(pes[pe], signal.SIGSTOP)
    job.wait_for("a word about it", lambda: told() > before_told)
    if time.monotonic() - began < STOPPED_S:
        fail("too early", job)
    last = job.err().splitlines()[-1]
    if "was stopped for 0." not in last or not any(f"process {pes[pe]}, was" in last for pe in stopped):
        fail(f"not told: processes {pes}, of which PEs {stopped} were stopped", job)

wait_for_state()
pes, before_told = job.pes(), told()
os.kill(pes[0], signal.SIGSTOP)
time.sleep(STOPPED_S / 5)
os.kill(pes[0], signal.SIGCONT)
left_alone("stopped for a fifth of the time")

# First as with Ctrl-Z and fg, then as by a batch system that suspends all processes, one after the other.
os.kill(job.process.pid, signal.SIGTSTP)
time.sleep(3 * STOPPED_S)
os.kill(job.process.pid, signal.SIGCONT)
left_alone("stopped with the whole job")
everyone = pes + [job.process.pid]
for process in everyone:
    os.kill(process, signal.SIGSTOP)
    time.sleep(STOPPED_S / 5)
time.sleep(3 * STOPPED_S)
for process in reversed(everyone):
    os.kill(process, signal.SIGCONT)
    time.sleep(STOPPED_S / 20)
left_alone("all processes stopped")

if libc.ptrace(PTRACE_ATTACH, pes[1], None, None) == 0:
    os.waitpid(pes[1], WALL)
    time.sleep(3 * STOPPED_S)
    libc.ptrace(PTRACE_DETACH, pes[1], None, None)
    left_alone("stopped by a debugger")
else:
    print("no ptrace() here:", os.strerror(ctypes.get_errno()))

open("go", "w").close()
job.end()
if job.out() != whole or lines_of(ranks) != files:
    fail("other results than undisturbed", job, whole)

job = Job(skein, ["-p", "2", "-n", "2", f"--survive=every=0.02s,stopped={STOPPED_S}s", computing], "computing").end()
if job.err():
    fail("one that computes was not left alone", job)
