#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--lb auto --lb-period auto on two real PEs against none and twelve fixed choices, on made-up loads (live.cpp).

  live.py --work FOLDER [--build BUILD] [--kinds KIND,...] [--seconds S] [--rounds N]

For each kind, all choices run once; then, in N rounds, auto and the best three in turn. The result is the median over the
rounds of the ratio within a round, for the choice with the largest one. Needs the machine for itself. Prints lines of JSON.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KINDS = ("even", "constant", "drift", "jump/40", "anew")
AUTO = ("auto", "auto")
FIXED = [("none", "1")] + [(strategy, period) for strategy in ("greedy", "greedy-refine", "refine", "diffusion")
                           for period in ("1", "5", "20")]
POINT_MS = 5


def compile_live(options):
    program = os.path.join(options.work, "live")
    if not os.path.exists(program):
        sources = [os.path.join(HERE, name) for name in ("live.cpp", "loads.cpp")]
        command = [os.path.join(options.build, "bin", "skein"), "cxx", "-std=c++20", "-O2", f"-I{ROOT}", *sources, "-o", program]
        subprocess.run(command, check=True)
    return program


def seconds(options, program, kind, choice):
    strategy, period = choice
    command = [os.path.join(options.build, "bin", "skein"), "run", "-q", "-p", "2", "-n", "16"]
    if strategy != "none":
        command += ["--lb", strategy, "--lb-period", period]
    command += [program, kind, str(round(options.seconds * 1000 / POINT_MS)), str(POINT_MS), "2"]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    told = re.search(r"time loop: ([0-9.]+) s", result.stdout)
    if not told:
        sys.exit(f"live.py: {' '.join(command)}: {result.stderr.strip()}")
    return float(told[1])


def judge(options, program, kind):
    once = {choice: seconds(options, program, kind, choice) for choice in FIXED}
    best = sorted(FIXED, key=once.get)[:3]
    ratios = {choice: [] for choice in best}
    for turn in range(options.rounds):
        order = [AUTO, *best] if turn % 2 == 0 else [*best, AUTO]
        took = {choice: seconds(options, program, kind, choice) for choice in order}
        for choice in best:
            ratios[choice].append(took[AUTO] / took[choice])
    medians = {choice: statistics.median(values) for choice, values in ratios.items()}
    worst = max(medians, key=medians.get)
    return {"kind": kind, "best": " ".join(worst), "regret_percent": 100 * (medians[worst] - 1), "none_s": once[("none", "1")],
            "best_s": min(once.values()), "ratios": {" ".join(choice): values for choice, values in ratios.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    program = compile_live(options)
    for kind in options.kinds.split(","):
        print(json.dumps(judge(options, program, kind)), flush=True)


main()
