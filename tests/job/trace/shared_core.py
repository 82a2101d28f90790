# SPDX-License-Identifier: Apache-2.0
"""shared_core.py SKEIN TRACE_TEXT PROGRAM WORK: two PEs that share one core compute for longer by the clock than they have
the processor. A recording says so, and its bursts are the time they had the processor, as the kernel counts it."""
import os
import pathlib
import re
import resource
import subprocess
import sys

skein, _, program, work = sys.argv[1:]
trace = str(pathlib.Path(work) / "shared_core.sktrace")
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
# 4 ranks compute for 3 to 4 ms in each of 100 rounds: 1.4 s of processor time, which take the one core as long by the clock.
done = subprocess.run([skein, "run", "-p", "2", "-n", "4", "--bind", "none", "--trace", trace, program, "100", "1000"],
                      capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(done.stderr)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
processor_s = used.ru_utime + used.ru_stime
told = subprocess.run([skein, "trace", "info", trace], capture_output=True, text=True, check=True).stdout
bursts_s = float(re.search(r"computing: +([0-9.]+) s in all", told).group(1))
left_out = re.search(r"other processes had the cores for ([0-9.]+) s of the ([0-9.]+) s", done.stderr)
if not left_out:
    # On a system that does not tell when a thread loses its processor.
    said = re.search(r"the trace has ([0-9.]+) s of computing, of which other processes had the cores for ([0-9.]+) s", done.stderr)
    if not said:
        sys.exit("nothing was said of a core that two PEs share:\n" + done.stderr)
    computing, too_long = map(float, said.groups())
    if not 0.02 * computing <= too_long < computing:
        sys.exit(f"{too_long} of {computing} s")
    sys.exit()
# With -q nothing is printed, but the trace still has the line.
if left_out.group() not in told:
    sys.exit(f"the trace does not tell {left_out.group()!r}:\n{told}")
quiet = subprocess.run([skein, "run", "-q", "-p", "2", "-n", "4", "--bind", "none", "--trace", trace, program, "100", "1000"],
                       capture_output=True, text=True, check=True)
again = subprocess.run([skein, "trace", "info", trace], capture_output=True, text=True, check=True).stdout
if quiet.stderr or "disturbed:  other processes had the cores for" not in again:
    sys.exit(f"with -q: {quiet.stderr!r}, and the trace tells\n{again}")
lost_s, clock_s = map(float, left_out.groups())
if not 0.02 * clock_s <= lost_s < clock_s:
    sys.exit(f"{lost_s} of {clock_s} s")
# The kernel also counts the start of the job and what its PEs do while they wait.
if not 0.5 * processor_s <= bursts_s <= 1.02 * processor_s:
    sys.exit(f"bursts of {bursts_s} s, of {processor_s} s of processor time; by the clock {clock_s} s")
