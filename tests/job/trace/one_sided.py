# SPDX-License-Identifier: Apache-2.0
"""one_sided.py SKEIN TRACE_TEXT PROGRAM WORK: the trace of tests/programs/rma_recorded.c, wherever ranks are and however
they move: fences and the end of the window are barriers of its ranks, post-start-complete-wait is messages without
data, all other calls are regions with the names of the functions; and the trace has no faults."""
import subprocess
import sys

import told

window = "{0,1,2}"


def region(function):
    return [f"region_begin {function}", f"region_end {function}"]


def expected(me):
    left, right = (me + 2) % 3, (me + 1) % 3
    fence = f"barrier {window} root any bytes 0"
    of_round = [fence, *region("MPI_Put"), fence]
    of_round += [f"send buffered {left} {window} tag 0 bytes 0", "sync", f"receive {right} {window} tag 0 bytes 0"]
    of_round += region("MPI_Accumulate")
    of_round += [f"send buffered {right} {window} tag 1 bytes 0", f"receive {left} {window} tag 1 bytes 0"]
    of_round += region("MPI_Win_lock") + region("MPI_Rput") + region("MPI_Win_unlock")
    return [f"object {me}", "create_comm world root any bytes 0", *of_round, *of_round, fence, "barrier world root any bytes 0", "end"]


def edit(line):
    return "sync" if line.startswith("sync") else line


jobs = [
    ["-p", "1"],
    ["-p", "2"],
    ["-p", "2", "--lb", "rotate", "--lb-period", "1"],
    ["-p", "2", "--lb", "random", "--lb-period", "1", "--arena", "private"],
]
skein = sys.argv[1]
for options, trace in told.check(sys.argv[1:], "one_sided", expected, jobs, edit):
    checked = subprocess.run([skein, "trace", "check", trace], capture_output=True, text=True)
    if checked.returncode != 0 or " 0 errors" not in checked.stdout + checked.stderr:
        sys.exit(f"{options}: {checked.stdout}{checked.stderr}")
