# SPDX-License-Identifier: Apache-2.0
"""replayable.py SKEIN TRACE_TEXT PROGRAM WORK: recordings, made while ranks move, of neighbourhood collectives, of
partitioned transfers, of persistent collectives that ranks start in an order of their own, and of requests that are freed,
have all participants of each message and collective; they are simulated to their end, exported, and made coarser."""
import pathlib
import shutil
import subprocess
import sys

skein, _, program, work = sys.argv[1:]


def check(trace):
    found = subprocess.run([skein, "trace", "check", trace], capture_output=True, text=True)
    if found.returncode != 0 or " 0 errors, 0 notes" not in found.stdout:
        sys.exit(f"{trace}: {found.stdout}{found.stderr}")


for name in ("neighbours", "partitioned", "overlap", "freed"):
    trace = pathlib.Path(work) / f"{name}.sktrace"
    run = [skein, "run", "-p", "2", "-n", "8", "-q", "--lb", "random", "--lb-period", "1", "--trace", trace]
    subprocess.run([*run, pathlib.Path(program).with_name(name)], check=True, stdout=subprocess.DEVNULL)
    check(trace)
    subprocess.run([skein, "simulate", "-p", "3", "--platform", "opteron288", trace], check=True, stdout=subprocess.DEVNULL)
    ranks = pathlib.Path(work) / f"{name}.ti"
    shutil.rmtree(ranks, ignore_errors=True)
    subprocess.run([skein, "trace", "export", trace, "--format", "ti", "-o", ranks], check=True, stdout=subprocess.DEVNULL)
    coarse = pathlib.Path(work) / f"{name}_coarse.sktrace"
    subprocess.run([skein, "trace", "coarsen", trace, "--grid", "2x4", "--to", "2x2", "-o", coarse], check=True,
                   stdout=subprocess.DEVNULL)
    check(coarse)
