#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--lb auto --lb-period auto against every strategy that a user can name at periods from 1 to 50, over a table of cases.

  judge.py --traces FOLDER... --work FOLDER [--build BUILD] [--only REGEX] [--seconds S] [--jobs N] make|fixed|auto|auto-fast|table

A case is a trace x PEs x platform. The traces are recorded ones, a sync point at each step of the program. Each FOLDER has one
recording of each program as NAME.sktrace, of which those that TRACES names are taken: recorded in turn, so that what the
machine does meanwhile is in no folder alone (record.py). Of MPI programs larger jobs are laid out in copies.

  make       writes traces of made-up loads with messages (made-...) into each folder, with noise of its own
  fixed      finds the best choices of each case and recording by the fast network, and plays none and the best three by flows
             (simgrid)
  auto       plays auto by both; auto-fast by the fast network alone, which is enough while something is changed
  table      what auto loses against the best. A choice is worth its mean over the recordings, the best one has the least: that
             of a single recording is the best there in part by chance. How much chance is left is what the best choice of every
             second recording loses in the others against theirs ("luck"): no rule can be asked to beat that. The last columns
             are of what auto loses beyond it.
             By flows where the same choices were played so in all recordings, else by the fast network

Results are lines of JSON in --work (fixed.jsonl, auto.jsonl); what is there is not played again (auto: --again). --seconds stops
before the next one. A third of the programs is held out (HELD_OUT), and of the others a third of the cases, by a digest of their
names: nothing in lb/ is to be chosen by what comes of them, so `table` shows them with --held-out alone, which is for the end.
--jobs plays so many cases at once; times are simulated, so what is played does not change.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ALL = ("node", "cluster", "slow")
HELD_OUT = ("bt-mz", "samr", "particles", "made-drift-noise", "made-jump25", "made-anew-residue")
MADE = ("even", "noise", "constant", "drift", "drift+noise", "jump/25", "jump/60+noise", "anew", "residue+noise", "anew+residue")
MADE_POINTS, MADE_MS, MADE_BYTES = 150, 2, 20000
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
    ("samr", "samr-sedov", 0, 1, (2, 16), ("node", "slow")),
    ("samr", "samr-shockpool3d", 0, 1, (4,), ("slow",)),
    ("miniamr", "miniamr-16", 0, 1, (2, 4, 8), ALL),
    ("miniamr", "miniamr-64", 0, 1, (2, 8, 32), ALL),
    ("barneshut", "barneshut-collision-16", 150, 1, (2, 4, 8), ALL),
    ("barneshut", "barneshut-collision-64", 150, 1, (2, 8, 32), ALL),
    ("particles", "particles-16", 150, 1, (2, 4, 8), ALL),
    ("particles", "particles-64", 150, 1, (2, 8, 32), ALL),
    ("moldyn", "moldyn-droplet", 0, 1, (2, 8, 32), ("node", "cluster")),
    ("moldyn", "moldyn-condensation", 0, 1, (2, 8, 32), ("cluster", "slow")),
    *(("made", f"made-{loads.replace('/', '').replace('+', '-')}-{ranks}", 0, 1, pes, ALL)
      for loads in MADE for ranks, pes in ((64, (4, 16)), (256, (16, 64)))),
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
        self.held_out = trace.startswith(HELD_OUT) or digest(self.name) % 3 == 0


def cases(options):
    for kind, trace, points, copies, pes_of, platforms in TRACES:
        for pes in pes_of:
            for platform in platforms:
                case = Case(kind, trace, points, copies, pes, platform)
                if re.search(options.only, case.name) and all(os.path.exists(trace_of(folder, case)) for folder in options.traces):
                    yield case


def trace_of(folder, case):
    return os.path.join(folder, case.trace + ".sktrace")


def known(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {(row["case"], row["recording"]): row for row in map(json.loads, file)}


def play(options, case, folder, what):
    command = [os.path.join(options.build, "bench", "autojudge", "autojudge_traces"), what, trace_of(folder, case),
               os.path.join(HERE, "platforms", case.platform + ".json"), str(case.pes), "--points", str(case.points),
               "--copies", str(case.copies)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"judge.py: {case.name}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def results_of(options, what):
    return os.path.join(options.work, ("auto" if what == "auto-fast" else what) + ".jsonl")


def make_all(options):
    """The traces of kind made: loads by their formula, with noise of another seed for each folder."""
    for seed, folder in enumerate(options.traces, 1):
        os.makedirs(folder, exist_ok=True)
        for loads in MADE:
            for ranks, pes in ((64, 16), (256, 64)):
                name = f"made-{loads.replace('/', '').replace('+', '-')}-{ranks}.sktrace"
                words = [os.path.join(options.build, "bench", "autojudge", "autojudge_make"), os.path.join(folder, name), loads, ranks,
                         MADE_POINTS, MADE_MS, pes, MADE_BYTES, seed]
                subprocess.run([str(word) for word in words], check=True)


def play_all(options):
    until = time.monotonic() + options.seconds
    path = results_of(options, options.what)
    if options.again and os.path.exists(path):
        os.remove(path)
    there = known(path)
    left = [(case, folder) for case in cases(options) for folder in options.traces
            if (case.name, folder) not in there and (options.held_out or not options.known or not case.held_out)]

    def play_one(case, folder):
        if time.monotonic() > until:
            return None
        return {**play(options, case, folder, options.what), "case": case.name, "recording": folder}

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(path, "a", encoding="utf-8") as file:
        played = 0
        for row in pool.map(lambda one: play_one(*one), left):
            if row is None:
                continue
            file.write(json.dumps(row) + "\n")
            file.flush()
            played += 1
    if played < len(left):
        print(f"{len(left) - played} are left")


def times_of(recordings, way):
    """By choice, seconds in each recording, of those that were played in all."""
    tables = [{(choice["strategy"], choice["period"]): choice["s"] for choice in row[way]} for row in recordings]
    common = set(tables[0]).intersection(*tables[1:])
    return {choice: [table[choice] for table in tables] for choice in common}


def mean(values):
    return sum(values) / len(values)


def least(times, which):
    """The choice of the least mean over every second recording, the first (0) or the second (1), or over all (slice(None))."""
    return min(sorted(times), key=lambda choice: mean(times[choice][which]))


def luck(times):
    """What the best of one half of the recordings loses in the other against that one's, in percent, the mean of both ways."""
    halves = slice(0, None, 2), slice(1, None, 2)
    best = [least(times, half) for half in halves]
    return mean([100 * (mean(times[best[1 - k]][half]) / mean(times[best[k]][half]) - 1) for k, half in enumerate(halves)])


def judge(fixed, auto):
    """Rows of all recordings of a case. Percent."""
    way = "flows" if all("flows" in row for row in auto) and len(times_of(fixed, "flows")) > 1 else "fast"
    times = times_of(fixed, way)
    ours = mean([row[way]["s"] for row in auto])
    best = least(times, slice(None))
    return {"regret": 100 * (ours / mean(times[best]) - 1), "over_none": 100 * (ours / mean(times["none", 1]) - 1),
            "luck": luck(times) if len(fixed) > 1 else None, "best": best, "best_s": mean(times[best]), "auto_s": ours,
            "steps": [row["fast"]["steps"] for row in auto]}


def right(regrets):
    """The part of at most 1 %, in percent."""
    return 100 * sum(value <= 1 for value in regrets) / len(regrets)


def print_set(title, rows):
    if not rows:
        return
    values = sorted(row["regret"] for row in rows)
    none = [row["over_none"] for row in rows]
    line = (f"{title:24} {len(values):5d} {mean(values):8.2f} {values[len(values) // 2]:8.2f} {values[-1]:8.2f} {right(values):8.0f}"
            f" {mean(none):10.1f} {max(none):8.1f}")
    known_lucks = [row for row in rows if row["luck"] is not None]
    if known_lucks:
        lucks = [row["luck"] for row in known_lucks]
        beyond = [row["regret"] - row["luck"] for row in known_lucks]
        line += f" {mean(lucks):8.2f} {max(lucks):8.2f} {mean(beyond):8.2f} {max(beyond):8.2f} {right(beyond):8.0f}"
    print(line)


def table(options):
    fixed, auto = known(results_of(options, "fixed")), known(results_of(options, "auto"))
    rows = []
    for case in cases(options):
        keys = [(case.name, folder) for folder in options.traces]
        if not all(key in fixed and key in auto for key in keys) or (case.held_out and not options.held_out):
            continue
        row = judge([fixed[key] for key in keys], [auto[key] for key in keys])
        rows.append({"case": case.name, "kind": case.kind, "platform": case.platform, "pes": case.pes, "held_out": case.held_out, **row})
    with open(os.path.join(options.work, "table.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    if options.verbose:
        for row in sorted(rows, key=lambda row: row["regret"]):
            if not row["held_out"]:
                strategy, period = row["best"]
                print(f"{row['case']:36} {row['regret']:+7.2f} %, of none {row['over_none']:+7.1f} %; best {strategy} every"
                      f" {period}: {row['best_s']:.4f} s; auto {row['auto_s']:.4f} s in {row['steps']} steps")
    print(f"{'regret in %':24} {'cases':>5} {'mean':>8} {'median':>8} {'worst':>8} {'% right':>8} {'over none':>10} {'worst':>8} {'luck':>8} {'worst':>8} {'beyond':>8} {'worst':>8} {'% right':>8}")
    for held_out in (False, True):
        group = [row for row in rows if row["held_out"] == held_out]
        print_set("held out" if held_out else "known", group)
        for key in ("kind", "platform"):
            for value in dict.fromkeys(row[key] for row in group):
                print_set(f"  {value}", [row for row in group if row[key] == value])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "fixed", "auto", "auto-fast", "table"))
    parser.add_argument("--traces", required=True, nargs="+")
    parser.add_argument("--work", required=True)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--known", action="store_true", help="play only cases that are not held out")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    if options.what == "make":
        make_all(options)
    elif options.what == "table":
        table(options)
    else:
        play_all(options)


main()
