#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the percent imbalance per LB step of a report (skein run --lb-report) as bars in a terminal.

Two columns a step: what the step found, and what it left if the loads stay as they were. Long runs are thinned out to
a screenful.
"""
import json
import sys

MOST_LINES = 25
WIDTH = 50


def bar(percent, largest):
    return "#" * round(WIDTH * percent / largest) if largest > 0 else ""


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: imbalance_chart.py REPORT")
    with open(sys.argv[1], encoding="utf-8") as report:
        steps = [line for line in map(json.loads, report) if "step" in line]
    if not steps:
        sys.exit("the report holds no LB step")
    largest = max(step["imbalance_before_percent"] for step in steps)
    print(" step  before  after  moved")
    stride = -(-len(steps) // MOST_LINES)
    for step in steps[::stride]:
        before = step["imbalance_before_percent"]
        print(f"{step['step']:5} {before:6.1f} {step['imbalance_after_percent']:6.1f} {step['objects_moved']:6}  "
              f"{bar(before, largest)}")


main()
