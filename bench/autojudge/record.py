#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records the programs that judge.py judges by, in turn.

  record.py --work FOLDER [--build BUILD] [--rounds N] [--only REGEX] [--seconds S] [--set small|all]

FOLDER/1, FOLDER/2 and so on get one recording of each program as NAME.sktrace: the first round records all, then the second
does, so that what the machine does meanwhile is in no folder alone. What is there is not recorded again, and --seconds stops
before the next one, so a set can be recorded in pieces. Wants the machine for itself: a line for each recording says how long
it took, its sync points, and what share of the processors others had.

Programs are of two PEs. `small`: those of 16 ranks, and few steps: two minutes a round.
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
sys.path.insert(0, os.path.join(ROOT, "bench", "papers"))
from frame import seismic  # noqa: E402  after the path


class Bench:
    """What frame/seismic.py wants of one."""

    def __init__(self, options):
        self.build, self.work = options.build, os.path.join(options.work, "programs")
        self.skein = os.path.join(options.build, "bin", "skein")
        os.makedirs(self.work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.work, name)

    def run(self, words, **more):
        result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)
        if result.returncode != 0:
            sys.exit(f"record.py: {' '.join(words)}: {result.stderr.strip() or result.stdout.strip()}")
        return result.stdout


def ranks(bench, count, program, *words, sync=()):
    return lambda trace: [bench.skein, "run", "-q", "-p", "2", "-n", str(count), *sync, "--trace", trace, program, *words]


def native(bench, program, *words):
    return lambda trace: ["mpirun", "--oversubscribe", "-n", "2", os.path.join(bench.build, "apps", program), *words, f"--skein.trace={trace}"]


def earthquake(bench, name, cells, steps, x, y):
    file = seismic.scenario(bench, name, cells, steps)
    return lambda trace: [bench.skein, "run", "-q", "-p", "2", "-n", str(x * y), "--trace", trace, seismic.program(bench), file,
                          "--migrate", "1", "--dims", f"{x}x{y}", "--output", bench.path("out")]


def particles(bench):
    """As ranks it has no advisor."""
    path = bench.path("particles")
    if not os.path.exists(path):
        sources = [os.path.join(ROOT, "apps", "particles", name) for name in ("cells.cpp", "particles.cpp")]
        bench.run([bench.skein, "cxx", "-std=c++20", "-O2", "-ffp-contract=off", f"-I{os.path.join(ROOT, 'include')}", f"-I{ROOT}", *sources,
                   os.path.join(HERE, "advisor_absent.cpp"), "-o", path])
    return path


def programs(bench, which):
    """By name, the command that records it. Those of TRACES in judge.py."""
    sizes = {16: (4, 4), 64: (8, 8)}
    cells = {("ligurian", 16): (112, 48, 24), ("ligurian", 64): (224, 96, 32), ("niigata", 16): (72, 80, 24), ("niigata", 64): (128, 144, 32)}
    kneighbor = os.path.join(bench.build, "bench", "kneighbor", "kneighbor")
    barneshut = os.path.join(bench.build, "apps", "barneshut", "barneshut_ranks")
    scenario = os.path.join(ROOT, "apps", "samr", "scenarios")
    found = {}
    for count in (16,) if which == "small" else (16, 64):
        for name in ("ligurian", "niigata"):
            found[f"seismic-{name}-{count}"] = earthquake(bench, name, cells[name, count], 150, *sizes[count])
        found[f"kneighbor-{count}"] = ranks(bench, count, kneighbor, "150", "0.5", str(10_000_000 // count))
        found[f"barneshut-collision-{count}"] = ranks(bench, count, barneshut, "--scenario", "collision", "--bodies", str(4000 if count == 16 else 16000),
                                                      "--steps", "150", "--partition", "none", "--migrate", "1")
        found[f"particles-{count}"] = ranks(bench, count, particles(bench), "--steps", "150", sync=("--sync-at", "MPI_Allreduce"))
    found["samr-sod"] = native(bench, "samr/samr", "--scenario", os.path.join(scenario, "sod.ini"))
    found["samr-sedov"] = native(bench, "samr/samr", "--scenario", os.path.join(scenario, "sedov.ini"))
    for name, steps in (("droplet", 300), ("condensation", 300)):
        found[f"moldyn-{name}"] = native(bench, "moldyn/moldyn", "--scenario", name, "--steps", str(steps))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--set", choices=("small", "all"), default="small", dest="which")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    bench = Bench(options)
    named = {name: command for name, command in programs(bench, options.which).items() if re.search(options.only, name)}
    for turn in range(1, options.rounds + 1):
        folder = os.path.join(options.work, str(turn))
        os.makedirs(folder, exist_ok=True)
        for name, command in named.items():
            trace = os.path.join(folder, name + ".sktrace")
            if os.path.exists(trace):
                continue
            if time.monotonic() > until:
                print("time is up; more is left")
                return
            unfinished = trace + ".part"
            start = time.monotonic()
            bench.run(command(unfinished))
            took = time.monotonic() - start
            told = json.loads(bench.run([bench.skein, "trace", "info", unfinished, "--json"]))
            others = 100 * told["others_had_s"] / max(1e-9, told["by_the_clock_s"])
            print(f"{turn} {name}: {took:.1f} s, others had {others:.1f} % of the processors", flush=True)
            os.rename(unfinished, trace)


main()
