#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gain by balancing in the closing lines and in the report.

  gain.py REPORT COMMAND...

The command is a run with LB whose program prints `without moves T s`: the time that its objects would have taken on
the fullest PE without moves, summed over the intervals between sync points, which are all LB steps. The program knows
T from its own clock and from where it put its objects.
"""
import json
import re
import subprocess
import sys


def close(a, b):
    """Figures are printed with two digits; the runtime's meters see a little more than the program's clock."""
    return abs(a - b) <= 0.01 + 0.02 * b


def main():
    report, command = sys.argv[1], sys.argv[2:]
    run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    said = f"{run.stdout}\n{run.stderr}"
    if run.returncode != 0:
        sys.exit(f"exit status {run.returncode}\n{said}")
    expected = float(re.search(r"^without moves (\S+) s$", run.stdout, re.MULTILINE).group(1))
    line = re.search(r"LB gain: without balancing about (\S+) s on the fullest PE, with (\S+) s$", run.stderr, re.MULTILINE)
    if not line:
        sys.exit(f"no line about the gain\n{said}")
    without, took = float(line.group(1)), float(line.group(2))
    if not close(without, expected):
        sys.exit(f"told {without} s without balancing, the program knows {expected} s\n{said}")

    with open(report, encoding="utf-8") as file:
        lines = [json.loads(each) for each in file]
    steps = [line for line in lines if "step" in line]
    intervals = [*steps, lines[-1]["end"]]
    for whose, total in (("busy_s", took), ("busy_unbalanced_s", without)):
        if not close(sum(max(interval[whose]) for interval in intervals), total):
            sys.exit(f"the maxima of {whose} add up to something else than the {total} s told\n{said}")
    # The interval after the last step is on no step's line.
    before = sum(step["max_busy_unbalanced_s"] for step in steps)
    if not 0.5 * without < before < without:
        sys.exit(f"the report has {before} s without balancing until the last step, of {without} s\n{said}")
    if steps[0]["max_busy_s"] != steps[0]["max_busy_unbalanced_s"]:
        sys.exit(f"before the first step nothing was balanced, and yet: {steps[0]}")
    moved = sum(step["objects_moved"] for step in steps)
    if moved == 0:
        sys.exit(f"nothing moved, so this shows nothing\n{said}")
    busiest = sum(step["max_busy_s"] for step in steps)
    if not (0.5 * took < busiest < took < without):
        sys.exit(f"took {took} s with balancing, {busiest} s of it until the last step, {without} s without\n{said}")


main()
