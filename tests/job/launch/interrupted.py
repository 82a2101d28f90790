#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""interrupted.py SKEIN PROGRAM: however a job is stopped, it leaves nothing behind: no process, no file in /dev/shm, no
folder for temporary files. PROGRAM is tests/programs/faults.c."""
import os
import signal
import subprocess
import sys
import tempfile
import time

SKEIN, PROGRAM = sys.argv[1:]
PATIENCE = 30
failures = 0


def descendants(process):
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as children:
            found = [int(child) for child in children.read().split()]
    except OSError:
        return []
    return found + [each for child in found for each in descendants(child)]


def shared_files(process):
    try:
        with open(f"/proc/{process}/maps", encoding="ascii") as maps:
            return {line.split(maxsplit=5)[5].strip() for line in maps if "/dev/shm/" in line}
    except OSError:
        return set()


def alive(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def settled(condition):
    """Returns true if the condition becomes true: processes that have no parent waiting take a moment to end."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def stop(name, pes, send):
    """Stops a job by send(job, descendants), and checks what it leaves behind."""
    global failures
    with tempfile.TemporaryDirectory() as temporary:
        job = subprocess.Popen([SKEIN, "run", "-p", str(pes), "-n", "4", PROGRAM, "wait", "skein-interrupted"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               start_new_session=True, env=os.environ | {"TMPDIR": temporary})
        if b"said before" not in job.stdout.readline():
            sys.exit(f"FAILED: {name}: the job did not start")
        processes = descendants(job.pid)
        shared = set().union(*map(shared_files, processes))
        begin = time.monotonic()
        send(job.pid, processes)
        status = job.wait(PATIENCE)
        took = time.monotonic() - begin
        complaints = []
        if status == 0:
            complaints.append("exit status 0")
        if not settled(lambda: not any(map(alive, processes))):
            complaints.append(f"processes: {list(filter(alive, processes))}")
        if not settled(lambda: not any(map(os.path.exists, shared))):
            complaints.append(f"shared: {list(filter(os.path.exists, shared))}")
        if not settled(lambda: not os.listdir(temporary)):
            complaints.append(f"temporary: {[names for names in os.walk(temporary)]}")
    if complaints:
        failures += 1
        print(f"FAILED: {name}, {pes} PEs: {'; '.join(complaints)}")
    else:
        print(f"{name}, {pes} PEs: {took:.1f} s")


def to_group(*signals, pause=0.0):
    def send(job, _):
        for each in signals:
            os.killpg(job, each)
            time.sleep(pause)
    return send


for pes in (1, 2):
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        stop(f"{each.name} to the group", pes, to_group(each))
stop("SIGINT to the job alone", 2, lambda job, _: os.kill(job, signal.SIGINT))
stop("SIGINT twice at once", 2, to_group(signal.SIGINT, signal.SIGINT))
# The second signal comes late enough to be a wish of its own.
stop("SIGINT twice", 2, to_group(signal.SIGINT, signal.SIGINT, pause=0.6))
stop("SIGKILL to the job", 2, lambda job, _: os.kill(job, signal.SIGKILL))
stop("SIGKILL to the launcher", 2, lambda _, processes: os.kill(processes[0], signal.SIGKILL))
sys.exit(failures != 0)
