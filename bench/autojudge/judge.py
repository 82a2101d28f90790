#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--lb auto --lb-period auto against every strategy that a user can name at periods from 1 to 50, over a table of cases.

  judge.py --traces FOLDER --work FOLDER [--build BUILD] [--only REGEX] [--seconds S] [--rehearsal FILE]
           fixed|auto|auto-fast|rehearsed|table

A case is a trace x PEs x platform. The traces are recorded ones, a sync point at each step of the program; FOLDER has them as
NAME.sktrace, of which those that TRACES names are taken. Of MPI programs larger jobs are laid out in copies.

  fixed      finds the best choice of each case by the fast network, and plays none and the best three by flows (simgrid)
  auto       plays auto by both; auto-fast by the fast network alone, which is enough while something is changed
  rehearsed  plays what was best of all in another recording of the same program, whose fixed.jsonl --rehearsal names: what
             tuning beforehand reaches. The best of all in the very run that is judged is so by chance, too.
  table      what auto, or with --rehearsal the rehearsed choice, loses against the best: by flows where both were played so,
             else by the fast network

Results are lines of JSON in --work (fixed.jsonl, auto.jsonl, rehearsed.jsonl); cases that are there are not played again (auto: --again).
--seconds stops before the next case. A third of the cases is held out, by a digest of their names: nothing in lb/ is to be
chosen by what comes of them, so `table` shows them with --held-out alone, which is for the end.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ALL = ("node", "cluster", "slow")
# Kind, trace, sync points that are played (0: all), copies, PEs, platforms.
TRACES = [
    ("seismic", "seismic-ligurian-16", 150, 1, (2, 4, 8), ALL),
    ("seismic", "seismic-niigata-16", 150, 1, (2, 4, 8), ALL),
    ("seismic", "seismic-ligurian-64", 150, 1, (2, 4, 8, 16, 32), ALL),
    ("seismic", "seismic-niigata-64", 150, 1, (2, 4, 8, 16, 32), ALL),
    ("seismic", "seismic-ligurian-256", 100, 1, (4, 8, 16, 64), ALL),
    ("seismic", "seismic-niigata-256", 100, 1, (4, 8, 16, 64), ALL),
    ("lulesh", "lulesh-8", 150, 1, (2, 4), ALL),
    ("lulesh", "lulesh-27", 150, 1, (2, 4, 8), ALL),
    ("lulesh", "lulesh-27-uneven", 150, 1, (2, 4, 8), ALL),
    ("lulesh", "lulesh-64", 100, 1, (2, 4, 8, 16, 32), ALL),
    ("bt-mz", "bt-mz-w16", 150, 1, (2, 4, 8), ALL),
    ("bt-mz", "bt-mz-a16", 0, 1, (2, 4, 8), ALL),
    ("bt-mz", "bt-mz-b64", 0, 1, (2, 4, 8, 16, 32), ALL),
    ("kneighbor", "kneighbor-16", 150, 1, (2, 4, 8), ALL),
    ("kneighbor", "kneighbor-64", 100, 1, (2, 4, 8, 16, 32), ALL),
    ("copies", "seismic-ligurian-64", 60, 8, (64, 256), ("cluster", "slow")),
    ("copies", "seismic-niigata-64", 60, 8, (64,), ("cluster", "slow")),
    ("copies", "lulesh-27-uneven", 60, 16, (64, 128), ("cluster", "slow")),
    ("copies", "bt-mz-b64", 0, 16, (128, 512), ("cluster", "slow")),
    ("copies", "kneighbor-64", 50, 32, (256, 1024), ("cluster",)),
    ("samr", "samr-sod", 0, 1, (2, 8, 32), ("node", "cluster")),
    ("samr", "samr-blobs", 0, 1, (2, 16), ("node", "slow")),
    ("samr", "samr-bubble", 0, 1, (4,), ("slow",)),
    ("moldyn", "moldyn-droplet", 0, 1, (2, 16), ("node",)),
    ("moldyn", "moldyn-liquid", 0, 1, (4, 32), ("cluster",)),
    ("moldyn", "moldyn-condensation", 0, 1, (2, 8), ("cluster",)),
]


def digest(name):
    """FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value ^ value >> 32


class Case:
    def __init__(self, kind, trace, points, copies, pes, platform):
        self.kind, self.trace, self.points, self.copies, self.pes, self.platform = kind, trace, points, copies, pes, platform
        self.name = f"{trace}{f'x{copies}' if copies > 1 else ''} {pes} {platform}"
        self.held_out = digest(self.name) % 3 == 0


def cases(options):
    for kind, trace, points, copies, pes_of, platforms in TRACES:
        for pes in pes_of:
            for platform in platforms:
                case = Case(kind, trace, points, copies, pes, platform)
                if re.search(options.only, case.name) and os.path.exists(trace_of(options, case)):
                    yield case


def trace_of(options, case):
    return os.path.join(options.traces, case.trace + ".sktrace")


def known(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {row["case"]: row for row in map(json.loads, file)}


def play(options, case, what):
    command = [os.path.join(options.build, "bench", "autojudge", "autojudge_traces"), what, trace_of(options, case),
               os.path.join(HERE, "platforms", case.platform + ".json"), str(case.pes), "--points", str(case.points),
               "--copies", str(case.copies)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"judge.py: {case.name}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def results_of(options, what):
    return os.path.join(options.work, ("auto" if what == "auto-fast" else what) + ".jsonl")


def play_all(options):
    until = time.monotonic() + options.seconds
    path = results_of(options, options.what)
    if options.again and os.path.exists(path):
        os.remove(path)
    there = known(path)
    rehearsal = known(options.rehearsal) if options.what == "rehearsed" else {}
    left = [case for case in cases(options) if case.name not in there and (options.held_out or not options.known or not case.held_out)
            and (options.what != "rehearsed" or case.name in rehearsal)]
    for done, case in enumerate(left):
        if time.monotonic() > until:
            print(f"{len(left) - done} cases are left")
            return
        what = options.what
        if what == "rehearsed":
            best = rehearsal[case.name]["fast"][0]
            what = f"{best['strategy']}@{best['period']}"
        row = play(options, case, what)
        row["case"] = case.name
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def regrets(fixed, auto):
    """In percent, against the best, and against none."""
    way = "flows" if "flows" in auto else "fast"
    best = min(choice["s"] for choice in fixed[way])
    none = next(choice["s"] for choice in fixed[way] if choice["strategy"] == "none")
    return 100 * (auto[way]["s"] / best - 1), 100 * (auto[way]["s"] / none - 1)


def print_set(title, rows):
    if not rows:
        return
    values = sorted(row["regret"] for row in rows)
    none = [row["over_none"] for row in rows]
    right = 100 * sum(value <= 1 for value in values) / len(values)
    print(f"{title:24} {len(values):5d} {sum(values) / len(values):8.2f} {values[len(values) // 2]:8.2f} {values[-1]:8.2f} {right:8.0f}"
          f" {sum(none) / len(none):10.1f} {max(none):8.1f}")


def table(options):
    fixed, auto = known(results_of(options, "fixed")), known(results_of(options, "rehearsed" if options.rehearsal else "auto"))
    rows = []
    for case in cases(options):
        if case.name not in fixed or case.name not in auto or (case.held_out and not options.held_out):
            continue
        regret, over_none = regrets(fixed[case.name], auto[case.name])
        rows.append({"case": case.name, "kind": case.kind, "platform": case.platform, "pes": case.pes, "held_out": case.held_out,
                     "regret": regret, "over_none": over_none, "best": fixed[case.name]["fast"][0], "auto": auto[case.name]["fast"]})
    with open(os.path.join(options.work, "table.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    if options.verbose:
        for row in sorted(rows, key=lambda row: row["regret"]):
            if not row["held_out"]:
                best = row["best"]
                print(f"{row['case']:36} {row['regret']:+7.2f} %, of none {row['over_none']:+7.1f} %; best {best['strategy']} every"
                      f" {best['period']}: {best['s']:.4f} s; auto {row['auto']['s']:.4f} s in {row['auto']['steps']} steps")
    print(f"{'regret in %':24} {'cases':>5} {'mean':>8} {'median':>8} {'worst':>8} {'% right':>8} {'over none':>10} {'worst':>8}")
    for held_out in (False, True):
        group = [row for row in rows if row["held_out"] == held_out]
        print_set("held out" if held_out else "known", group)
        for key in ("kind", "platform"):
            for value in dict.fromkeys(row[key] for row in group):
                print_set(f"  {value}", [row for row in group if row[key] == value])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("fixed", "auto", "auto-fast", "rehearsed", "table"))
    parser.add_argument("--traces", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--rehearsal", help="fixed.jsonl of other recordings under the same names")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--known", action="store_true", help="play only cases that are not held out")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.what == "rehearsed" and not options.rehearsal:
        parser.error("rehearsed needs --rehearsal FILE: the fixed.jsonl of other recordings under the same names")
    os.makedirs(options.work, exist_ok=True)
    if options.what == "table":
        table(options)
    else:
        play_all(options)


main()
