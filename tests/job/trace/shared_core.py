# SPDX-License-Identifier: Apache-2.0
"""shared_core.py SKEIN TRACE_TEXT PROGRAM WORK: two PEs that have one core between them compute for longer by the clock than
they have the processor, and a recording says so."""
import os
import pathlib
import re
import subprocess
import sys

skein, _, program, work = sys.argv[1:]
trace = str(pathlib.Path(work) / "shared_core.sktrace")
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
# 4 ranks compute for 3 to 4 ms in each of 200 rounds: by the clock 2.8 s and more, of which one core has half.
done = subprocess.run([skein, "run", "-p", "2", "-n", "4", "--bind", "none", "--trace", trace, program, "200", "1000"],
                      capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(done.stderr)
said = re.search(r"tells of ([0-9.]+) s of computing, of which others had the cores for ([0-9.]+) s", done.stderr)
if not said:
    sys.exit("nothing was said of a core that two PEs share:\n" + done.stderr)
computing, too_long = map(float, said.groups())
if not 0.02 * computing <= too_long < computing:
    sys.exit(f"{too_long} of {computing} s")
