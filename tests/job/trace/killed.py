# SPDX-License-Identifier: Apache-2.0
"""killed.py SKEIN TRACE_TEXT PROGRAM WORK: a killed run leaves a trace that can be read up to the last piece written."""
import os
import pathlib
import signal
import subprocess
import sys
import time

skein, trace_text, program, work = sys.argv[1:]
trace = pathlib.Path(work) / "killed.sktrace"
trace.unlink(missing_ok=True)
of_round = [
    "start receive", "start send", "wait [1 0]", "start barrier", "wait [0]", "barrier world", "sync",
]


def read():
    """Returns the lines of each rank, or None while some rank has none."""
    done = subprocess.run([trace_text, trace], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    head, *sections = done.stdout.split("object ")
    lines = [section.splitlines()[1:] for section in sections]
    return (head.strip(), lines) if lines and all(lines) else None


job = subprocess.Popen([skein, "run", "-q", "-p", "2", "-n", "4", "--trace", trace, program, "1000000", "100"],
                       start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while not trace.exists() or not read():
    if job.poll() is not None:
        sys.exit(f"the job ended by itself, with {job.returncode}")
    time.sleep(0.05)
os.killpg(job.pid, signal.SIGKILL)
job.wait()
head, ranks = read()
if head != "complete 0":
    sys.exit(f"the trace of a killed run says '{head}'")
for rank, lines in enumerate(ranks):
    for at, line in enumerate(lines):
        if not line.startswith(of_round[at % len(of_round)]):
            sys.exit(f"rank {rank}, line {at + 1}: '{line}', not '{of_round[at % len(of_round)]}...'")
