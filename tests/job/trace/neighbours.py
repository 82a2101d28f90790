# SPDX-License-Identifier: Apache-2.0
"""neighbours.py SKEIN TRACE_TEXT PROGRAM WORK: recordings of neighbourhood collectives and partitioned transfers, made while
ranks move, have for each message its send and its receive, and are simulated to their end."""
import pathlib
import subprocess
import sys

skein, _, program, work = sys.argv[1:]
for name in ("neighbours", "partitioned"):
    trace = pathlib.Path(work) / f"{name}.sktrace"
    run = [skein, "run", "-p", "2", "-n", "7", "-q", "--lb", "random", "--lb-period", "1", "--trace", trace]
    subprocess.run([*run, pathlib.Path(program).with_name(name)], check=True, stdout=subprocess.DEVNULL)
    found = subprocess.run([skein, "trace", "check", trace], capture_output=True, text=True)
    if found.returncode != 0 or " 0 errors, 0 notes" not in found.stdout:
        sys.exit(f"{name}: {found.stdout}{found.stderr}")
    subprocess.run([skein, "simulate", "-p", "3", "--platform", "opteron288", trace], check=True, stdout=subprocess.DEVNULL)
