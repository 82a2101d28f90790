#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gain that balancing could have, as a run without a strategy reports it.

  outlook.py WORTH REPORT COMMAND...

The command writes REPORT by --lb-report, or none where REPORT is -. WORTH: what the line advises, or `silent`.
"""
import json
import re
import subprocess
import sys

LINE = re.compile(r"imbalance (\d+) %: the fullest PE computed (\S+) s and the average (\S+) s, so balancing gains "
                  r"(\S+) s of (\S+) s at most \((\d+) %\): (.*)$", re.MULTILINE)


def main():
    worth, report, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    said = f"{run.stdout}\n{run.stderr}"
    if run.returncode != 0:
        sys.exit(f"exit status {run.returncode}\n{said}")
    line = LINE.search(run.stderr)
    if worth == "silent":
        sys.exit(f"not asked, and said\n{said}" if line else 0)
    if not line:
        sys.exit(f"no line\n{said}")
    imbalance, fullest, mean, gain, job, percent = (float(line.group(k)) for k in range(1, 7))
    if line.group(7) != worth:
        sys.exit(f"'{line.group(7)}' is said\n{said}")
    # Two digits are printed.
    if abs(gain - (fullest - mean)) > 0.011 or abs(percent - 100 * gain / job) > 1 + 1 / job:
        sys.exit(f"the figures do not fit each other\n{said}")
    if mean >= 0.05 and abs(imbalance - 100 * (fullest / mean - 1)) > 1 + 2 / mean:
        sys.exit(f"the imbalance is another\n{said}")
    if report == "-":
        return
    with open(report, encoding="utf-8") as file:
        lines = [json.loads(each) for each in file]
    intervals = [*(line for line in lines if "step" in line), lines[-1]["end"]]
    if len(intervals) < 2:
        sys.exit(f"one interval shows nothing\n{said}")
    for name, told, figure in (("fullest", fullest, max), ("average", mean, lambda busy: sum(busy) / len(busy))):
        expected = sum(figure(interval["busy_s"]) for interval in intervals)
        if abs(told - expected) > 0.01 + 0.02 * expected:
            sys.exit(f"the {name} is {told} s, by the report {expected} s\n{said}")


main()
