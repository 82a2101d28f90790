# SPDX-License-Identifier: Apache-2.0
"""memory.py SKEIN TRACE_TEXT PROGRAM WORK: a sync point's memory is what a rank of tests/programs/holding.c wrote: static
variables count, an untouched allocation does not."""
import pathlib
import re
import subprocess
import sys

skein, trace_text, program, work = sys.argv[1:]
trace = pathlib.Path(work) / "memory.sktrace"
ranks, mib = 3, 1 << 20
# Besides what the program writes: its stack, its other variables, Skein's control block and the allocations of MPI_Init().
beside = mib / 2
jobs = [
    ["-p", "1"],
    ["-p", "2", "--lb", "rotate", "--lb-period", "1"],
    ["-p", "2", "--lb", "rotate", "--lb-period", "1", "--arena", "private"],
]
for options in jobs:
    subprocess.run([skein, "run", *options, "-n", str(ranks), "-q", "--trace", trace, program], check=True, cwd=work)
    text = subprocess.run([trace_text, trace, "--memory"], check=True, capture_output=True, text=True).stdout
    found = [int(each) for each in re.findall(r"^sync bytes (\d+)$", text, re.M)]
    written = [mib * (rank + 1 + more) for rank in range(ranks) for more in (0, 3, 2)]
    if len(found) != len(written) or any(not wrote <= bytes <= wrote + beside for wrote, bytes in zip(written, found)):
        sys.exit(f"{options}: {found}, not {written} and up to {beside:.0f} more")
