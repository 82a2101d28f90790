#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How true coarsened traces are: seismic with 16x16 ranks, coarsened to 4x4, beside recordings of 4x4 ranks.

  bench/coarsening.py [options]

Each round records 16x16, 8x8 and 4x4 ranks on one PE. What disturbs the machine only adds to what is recorded: so the
rounds of each are joined by `skein trace least`, on both sides alike. The one of 16x16 is coarsened, with what each of the
options of `skein trace coarsen` tells it, and the load of each rank in each step is compared with that of 4x4. Beside it
4x4, the odd rounds against the even ones, which is the machine's own noise; of half as many rounds each, so that it is more
than what is left in the comparison. With --seconds the next call goes on where this one stops; what is recorded stays in the
folder.

The bound: the median over ranks and steps differs by at most 3 %. Steps before --from are left out: there most cells
are still at rest, and are skipped.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BOUND = 3.0
GRIDS = {256: "16x16", 64: "8x8", 16: "4x4"}
CELLS = {"ligurian": "336x140", "niigata": "180x200"}  # as the scenarios' `grid` says


class Bench:
    def __init__(self, options):
        self.options = options
        self.skein = os.path.join(os.path.abspath(options.build), "bin/skein")
        self.work = os.path.abspath(options.work)
        os.makedirs(self.work, exist_ok=True)
        self.until = time.monotonic() + options.seconds

    def path(self, name):
        return os.path.join(self.work, name)

    def call(self, *command):
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, cwd=self.work)
        if result.returncode:
            sys.exit(f"coarsening.py: {' '.join(command)}: status {result.returncode}\n{result.stderr}")

    def program(self):
        path = self.path("seismic")
        if not os.path.exists(path):
            folder = f"{ROOT}/apps/seismic"
            sources = [f"{folder}/{name}" for name in sorted(os.listdir(folder)) if name.endswith(".c")]
            # As apps/seismic/CMakeLists.txt compiles it.
            self.call(self.skein, "cc", "-std=c11", "-O3", "-ffp-contract=off", "-falign-functions=64", *sources, "-lm", "-o", path)
        return path

    def trace(self, scenario, ranks, number):
        return self.path(f"{scenario}.{ranks}.{number}.sktrace")

    def record(self, scenario):
        """Records the rounds that are still missing."""
        for number in range(self.options.rounds):
            for ranks in GRIDS:
                file = self.trace(scenario, ranks, number)
                if os.path.exists(file):
                    continue
                if time.monotonic() > self.until:
                    return False
                self.call(self.skein, "run", "-p", "1", "-n", str(ranks), "--trace", file + ".new", self.program(),
                          f"{ROOT}/apps/seismic/scenarios/{scenario}.txt", "--steps", str(self.options.steps), "--migrate", "1",
                          "--output", self.path("out"))
                os.rename(file + ".new", file)
                print(f"{scenario}: {GRIDS[ranks]} ranks, round {number}", flush=True)
        return True

    def least(self, scenario, ranks, numbers):
        if len(numbers) == 1:
            return self.trace(scenario, ranks, numbers[0])
        output = self.path(f"{scenario}.{ranks}.least.sktrace")
        self.call(self.skein, "trace", "least", *(self.trace(scenario, ranks, number) for number in numbers), "-o", output)
        return output

    def coarsened(self, scenario, cells, calibrated):
        rounds = range(self.options.rounds)
        output = self.path(f"{scenario}.coarse.sktrace")
        extra = ["--cells", CELLS[scenario]] if cells else []
        extra += ["--calibrate-with", self.least(scenario, 64, rounds)] if calibrated else []
        self.call(self.skein, "trace", "coarsen", self.least(scenario, 256, rounds), "--grid", "16x16", "--to", "4x4", *extra,
                  "-o", output)
        return output

    def loads(self, trace):
        """Returns by rank and step, ns: the load between two sync points, from the exported TI trace, whose flop are
        nanoseconds."""
        folder = self.path("loads.ti")
        shutil.rmtree(folder, ignore_errors=True)
        self.call(self.skein, "trace", "export", trace, "--format", "ti", "--migrate", "-o", folder)
        result = []
        for name in sorted(os.listdir(folder), key=lambda name: int(re.sub(r"\D", "", name) or -1)):
            if name == "traces.txt":
                continue
            steps, load = [], 0.0
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for line in file:
                    words = line.split()
                    if words[1] == "compute":
                        load += float(words[2])
                    elif words[1] == "migrate":
                        steps.append(load)
                        load = 0.0
            result.append(steps)
        return result

    def differences(self, loads, against):
        """Returns the differences by rank, of each step, percent."""
        return [[100 * (load / real - 1) for load, real in list(zip(ours, theirs))[self.options.since:] if real > 0]
                for ours, theirs in zip(loads, against)]

    def row(self, name, loads, against):
        by_rank = self.differences(loads, against)
        most = statistics.median(abs(one) for rank in by_rank for one in rank)
        print(f"  {name:48} {most:5.1f} %")
        if self.options.ranks:
            print("   ", " ".join(f"{statistics.median(rank):+.1f}" for rank in by_rank))

    def compare(self, scenario):
        rounds = range(self.options.rounds)
        real = self.loads(self.least(scenario, 16, rounds))
        print(f"{scenario}: median difference over {len(real)} ranks and steps {self.options.since} to {len(real[0])}, "
              f"at most {BOUND:.0f} %")
        for cells, calibrated, name in ((False, False, "coarsened"), (False, True, "with --calibrate-with 8x8"),
                                        (True, True, "with --cells and --calibrate-with 8x8")):
            self.row(name, self.loads(self.coarsened(scenario, cells, calibrated)), real)
        if len(rounds) > 1:
            self.row("4x4, odd rounds against even ones", self.loads(self.least(scenario, 16, rounds[1::2])),
                     self.loads(self.least(scenario, 16, rounds[0::2])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--work", default="coarsening")
    parser.add_argument("--scenarios", default="ligurian,niigata")
    parser.add_argument("--steps", type=int, default=240)
    parser.add_argument("--from", dest="since", type=int, default=150, help="steps before are left out")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--ranks", action="store_true", help="the median of each rank, too, with its sign")
    parser.add_argument("--seconds", type=float, default=1e9, help="no recording is begun after so many")
    options = parser.parse_args()
    bench = Bench(options)
    for scenario in options.scenarios.split(","):
        if not bench.record(scenario):
            sys.exit("coarsening.py: not all is recorded yet: call it again")
        bench.compare(scenario)


main()
