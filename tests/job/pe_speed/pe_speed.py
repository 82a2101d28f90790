#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pe_speed.py SKEIN ALIKE file|measured FOLDER: strategies balance time on PEs of different speed.

Twelve equal ranks. If PE 1 has half the speed of PE 0, all ranks are done first with 8 on PE 0 and 4 on PE 1. `file`: the user
gives the speeds, and loads are declared, so nothing is measured and exactly these numbers result. `measured`: another process
computes on PE 1's core, which makes the PE about half as fast.
"""
import json
import os
import subprocess
import sys

skein, alike, what, folder = sys.argv[1:5]
os.makedirs(folder, exist_ok=True)
RANKS = 12


def run(options, words, expected=0):
    report = os.path.join(folder, f"{what}.json")
    command = [skein, "run", "-p", "2", "-n", str(RANKS), "--lb-report", report, *options, alike, *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != expected:
        sys.exit(f"FAILED: {' '.join(command)}: status {done.returncode}\n{done.stdout}")
    if expected:
        return done.stdout
    with open(report, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def placed(lines):
    """Returns how many ranks are on PE 0 after each step."""
    places = list(lines[0]["job"]["placement"])
    counts = []
    for line in lines:
        for rank, _, to in line.get("moves", []):
            places[rank] = to
        if "step" in line:
            counts.append(places.count(0))
    return counts


def check(condition, text):
    if not condition:
        sys.exit(f"FAILED: {text}")


def by_file():
    speeds = os.path.join(folder, "speeds")
    with open(speeds, "w", encoding="utf-8") as file:
        file.write("# PE 1 is slow\n1 0.5\n")
    for strategy in ("greedy", "refine", "greedy-refine:tolerance=1.01", "auto"):
        lines = run(["--lb", strategy, "--lb-period", "1", "--pe-speed", speeds], ["4", "declared"])
        steps = [line for line in lines if "step" in line]
        check(steps[-1]["pe_speeds"] == [1, 0.5], f"{strategy}: {steps[-1]['pe_speeds']}")
        if strategy == "auto":
            continue  # a gain in declared loads takes no time
        check(placed(lines)[-1] == 8, f"{strategy}: {placed(lines)} ranks on PE 0, not 8")
        check(abs(steps[-1]["imbalance_after_percent"]) < 1e-6, f"{strategy}: {steps[-1]}")
    # PEs of this machine are alike, whoever else computes on it: no speed is given, and nothing changes.
    for options in ([], ["--pe-speed", "uniform"]):
        steps = [line for line in run(["--lb", "greedy", "--lb-period", "1", *options], ["4", "declared"]) if "step" in line]
        check(steps[-1]["pe_speeds"] == [1, 1], f"{options}: {steps[-1]['pe_speeds']}")
    told = run(["--lb", "greedy", "--pe-speed", folder + "/none"], ["1"], expected=2)
    check("--pe-speed" in told and "/none" in told, told)
    with open(speeds, "w", encoding="utf-8") as file:
        file.write("0 1\n2 0.5\n")
    told = run(["--lb", "greedy", "--pe-speed", speeds], ["1"], expected=2)
    check("PE 2 does not exist" in told and ":2:" in told, told)


def median(values):
    return sorted(values)[len(values) // 2]


def beside_another():
    """Returns the report of a run during which another process computes where PE 1 is bound."""
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        os.sched_setaffinity(other.pid, {sorted(os.sched_getaffinity(0))[1]})
        return run(["--lb", "greedy", "--lb-period", "5", "--pe-speed", "measured"], ["40"])
    finally:
        other.kill()
        other.wait()


def by_measuring():
    if len(os.sched_getaffinity(0)) < 2:
        print("skipped: there is one core")
        sys.exit(77)
    for _ in range(5):
        lines = beside_another()
        speeds = [line["pe_speeds"] for line in lines if "step" in line]
        fast, slow = (median([speed[pe] for speed in speeds]) for pe in (0, 1))
        if fast < 0.9:
            continue  # another process has PE 0's core
        check(0.35 < slow < 0.65, f"PE 1 has {slow:.2f} of its core, with another process on it")
        # With speeds 1 and s the best number on PE 0 is 12 / (1 + s), to the next whole number.
        check(7 <= median(placed(lines)[2:]) <= 9, f"ranks on PE 0: {placed(lines)}, speed of PE 1 {slow:.2f}")
        return
    print("skipped: others have this machine's cores")
    sys.exit(77)


by_file() if what == "file" else by_measuring()
