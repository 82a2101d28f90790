#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulations at the sizes of the papers that Skein follows, beside the papers' figures.

  seeds.py [--build BUILD] [--work FOLDER] [--only PART,...]

Records seismic (apps/seismic) on two PEs, and simulates it with `skein simulate`. Traces that FOLDER has already are not made
again. Parts: periods, decompositions, cluster (of R. Keller Tesser et al., INRIA RR-9031, 2017).
"""
import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCENARIOS = {"ligurian": "Ligurian", "niigata": "Chuetsu-Oki"}
PARTS = ["periods", "decompositions", "cluster"]


def fail(text):
    sys.exit(f"seeds.py: {text}")


class Bench:
    def __init__(self, options):
        self.build = os.path.abspath(options.build)
        self.skein = os.path.join(self.build, "bin", "skein")
        self.work = os.path.abspath(options.work)
        if not os.access(self.skein, os.X_OK):
            fail(f"{self.skein} is not there: build first, or name the build folder with --build")
        os.makedirs(self.work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.work, name)

    def run(self, command, **more):
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)
        if result.returncode != 0:
            fail(f"{' '.join(command)}: status {result.returncode}: {result.stderr.strip()}")
        return result.stdout

    def make(self, name, command_of, **more):
        """The trace of that name; made if it is not there."""
        path = self.path(name)
        if not os.path.exists(path):
            print(f"[making {name}]", file=sys.stderr)
            self.run(command_of(path + ".tmp"), **more)
            os.rename(path + ".tmp", path)
        return path

    def seismic(self):
        program = self.path("seismic")
        if not os.path.exists(program):
            folder = os.path.join(ROOT, "apps", "seismic")
            sources = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".c"))
            self.run([self.skein, "cc", "-std=c11", "-O3", "-ffp-contract=off", *sources, "-lm", "-o", program])
        return program

    def record(self, scenario, x, y, file=None, more=()):
        program = self.seismic()
        file = file or os.path.join(ROOT, "apps", "seismic", "scenarios", scenario + ".txt")
        return self.make(f"{scenario}-{x}x{y}.sktrace",
                         lambda trace: [self.skein, "run", "-q", "-p", "2", "-n", str(x * y), "--trace", trace, program, file,
                                        "--migrate", "1", "--dims", f"{x}x{y}", "--output", self.path("out"), *more],
                         cwd=self.work)

    def steady(self, trace):
        name = os.path.basename(trace).removesuffix(".sktrace") + "-steady.sktrace"
        maker = os.path.join(self.build, "bench", "seeds", "steady_trace")
        return self.make(name, lambda path: [maker, path, trace])

    def simulate(self, trace, platform, pes, strategy="none", period=20, more=()):
        text = self.run([self.skein, "simulate", trace, "--platform", platform, "--pes", str(pes), "--lb", strategy,
                         "--lb-period", str(period), "--json", *more])
        return json.loads(text)


def gain(run, still):
    return 100 * (1 - run["makespan_s"] / still["makespan_s"])


def table(head, rows):
    cells = [head] + [[cell if isinstance(cell, str) else f"{cell:.4g}" for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))))
    print()


def periods(bench):
    print("""Periods (RR-9031, Figure 6): 64 ranks (16 x 4) on 16 PEs of paraplui
Theirs: Ondes3D, Chuetsu-Oki with 300x300x150 cells and 500 steps, Ligurian with 500x350x130 and 300 steps. Greedy is best on
Chuetsu-Oki, Refine (tolerance 1.05) on Ligurian; frequent steps hurt Greedy and help Refine.
Ours: apps/seismic with its own scenarios of these earthquakes, coarser grids of the same regions (180x200x64 and 336x140x48
cells, 560 and 440 steps). Chuetsu-Oki is nearly even there: the wave is everywhere after a third of the time, so that
little can be gained, and Greedy, which moves nearly all ranks, pays most for it. Gain over none in percent.""")
    for scenario, name in SCENARIOS.items():
        trace = bench.record(scenario, 16, 4)
        still = bench.simulate(trace, "paraplui", 16)
        rows = []
        for strategy in ("greedy", "refine:tolerance=1.05", "greedy-refine", "auto"):
            runs = [bench.simulate(trace, "paraplui", 16, strategy, period) for period in (10, 20, 30, 40)]
            rows.append([strategy] + [gain(run, still) for run in runs])
        print(f"\n  {name}: none takes {still['makespan_s']:.4g} s")
        table(["gain %, period", "10", "20", "30", "40"], rows)


def coarsened(bench, scenario, y):
    fine = bench.record(scenario, 16, 16)
    return bench.make(f"{scenario}-16x{y}-of-16x16.sktrace",
                      lambda trace: [bench.skein, "trace", "coarsen", fine, "--grid", "16x16", "--to", f"16x{y}", "-o", trace])


def decompositions(bench):
    print("""Decompositions (RR-9031, Figure 7): 16 PEs of paraplui, a step every 20 sync points
Theirs: over-decomposition by 2, 3, 4, 8, 16 from a trace of 16x16 ranks. Without balancing each level costs; Refine is best
at 4, Greedy at 2.
Ours: each decomposition recorded, and made from the trace of 16x16 (16 is not divided by 3). What is made from it takes some
15 to 25 % longer: bursts of blocks of 21x9 cells hold the packing of halos that larger blocks do not have, and pay for caches
that they find cold after 255 others. Seconds.""")
    strategies = ("none", "greedy", "refine:tolerance=1.05", "greedy-refine")
    for scenario, name in SCENARIOS.items():
        rows = []
        for y in (2, 3, 4, 8, 16):
            traces = {f"16x{y} recorded": bench.record(scenario, 16, y)}
            if 16 % y == 0 and y < 16:
                traces[f"16x{y} of 16x16"] = coarsened(bench, scenario, y)
            for told, trace in traces.items():
                rows.append([told] + [bench.simulate(trace, "paraplui", 16, strategy)["makespan_s"] for strategy in strategies])
        print(f"\n  {name}")
        table(["ranks", "none", "greedy", "refine", "greedy-refine"], rows)


def cluster_scenario(bench):
    """The Ligurian region on a square grid, thin enough for two cores: 384x384x16 cells, 120 steps."""
    with open(os.path.join(ROOT, "apps", "seismic", "scenarios", "ligurian.txt"), encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith(("grid ", "time ", "boundary "))]
    path = bench.path("cluster.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("grid nx=384 ny=384 nz=16 spacing=500\ntime step=0.035 steps=120 floor=1e-10\n"
                   "boundary layer=3 frequency=0.3 free_surface=1\n")
        file.writelines(line.replace("z=15000", "z=5000") for line in lines)  # 8 km deep
    return path


def scaled_platform(bench, name, volume, face):
    """As if each rank had `volume` times the cells, and messages `face` times the bytes."""
    with open(os.path.join(ROOT, "lb", "simulate", "platforms", name + ".json"), encoding="utf-8") as file:
        platform = json.load(file)
    platform["name"] = f"{name}, scaled"
    platform["speed"] /= volume
    for level in ("pe", "node", "network"):
        for key in ("byte_ns", "send_byte_ns", "receive_byte_ns"):
            if key in platform.get(level, {}):
                platform[level][key] *= face
    for key in ("node_byte_ns", "network_byte_ns"):
        platform["moves"][key] *= volume
    path = bench.path(f"{name}-scaled.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(platform, file)
    return path


def cluster(bench):
    print("""288 PEs (RR-9031, Figure 4): opteron288, a step every 20 sync points, 8 and 16 ranks a PE
Theirs: really run, 1152x1152x384 cells, 500 steps. With 8 ranks a core Refine takes 36.58 % less than AMPI without balancing,
and less than Nuco, HwTopo and two Hierarchical configurations.
Ours: recorded with 384x384x16 cells and 120 steps, what two cores do in a minute, without skipping tiles, as theirs. A rank has
8x8x16 cells (8 a PE), theirs 24x24x384: so the platform is opteron288 with PEs 216 times as slow, and bytes of messages that
take 72 times, bytes of ranks 216 times as long; times are then those of the published size. Ours is
uneven by the absorbing layers and the basin alone. A burst of such a rank takes a sixth of a millisecond, and what disturbs a
recording on two cores for milliseconds is then minutes, for which each step waits: so bursts are those of the median of the
eleven steps around them (steady_trace), as what a rank does changes slower than that. With 8 ranks a PE Refine then gains 6 %,
where with the bursts as recorded it lost 10; with 16, 8 %. Of theirs, ours lacks most of what there is to gain: without balancing
PEs compute 61 % of the time.""")
    file = cluster_scenario(bench)
    platform = scaled_platform(bench, "opteron288", 216, 72)
    for x, y in ((48, 48), (96, 48)):
        trace = bench.steady(bench.record("cluster", x, y, file, ("--no-skip",)))
        still = bench.simulate(trace, platform, 288)
        rows = []
        for strategy in ("refine:tolerance=1.05", "greedy-refine", "nuco", "hwtopo", "hierarchical",
                         "hierarchical:node=refine,pe=refine"):
            run = bench.simulate(trace, platform, 288, strategy)
            rows.append([strategy, run["makespan_s"], gain(run, still), float(sum(s["objects_moved"] for s in run["steps"]))])
        print(f"\n  {x * y // 288} ranks a PE: none takes {still['makespan_s']:.4g} s")
        table(["strategy", "s", "gain %", "moved"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--work", default="seeds-work")
    parser.add_argument("--only", default=",".join(PARTS))
    options = parser.parse_args()
    bench = Bench(options)
    for part in options.only.split(","):
        if part not in PARTS:
            fail(f"--only {part}: parts are {', '.join(PARTS)}")
        {"periods": periods, "decompositions": decompositions, "cluster": cluster}[part](bench)


main()
