# SPDX-License-Identifier: Apache-2.0
"""Simulates the execution times of Z. Lan, V. E. Taylor, G. Bryan (JPDC 62, 2002) on their machine: records apps/samr on two PEs without a
strategy, with as many grids of level 0 as the largest number of PEs, and plays the recording on platform origin2000 with each strategy. Elements
that `move-split` divides are played as parts, with ghost zones. Also compares simulations on two PEs with runs that really divide grids."""
import functools
import json
import os
import statistics

from frame.bench import ROOT
from frame.paper import Item

PROBLEMS = {"amr64": ("AMR64", 4), "amr128": ("AMR128", 2), "shockpool3d": ("ShockPool3D", 3)}  # title, and steps of level 0
PES = (4, 8, 16, 32, 48, 64)
THEIRS = {"amr64": (12.60, 34.15, 57.54, 54.19, 53.69), "amr128": (-4.84, -2.26, 20.17, 9.14, 7.53),
          "shockpool3d": (8.07, 14.18, 23.73, 24.15, 42.13)}  # % of time that their scheme saves against the original, from 8 PEs on
STRATEGIES = {"none": "none", "enzo": "enzo", "split": "move-split", "heaviest": "move-split:whole=heaviest", "refine": "greedy-refine",
              "diffusion": "diffusion", "enzo_level": "enzo:by_level=1", "split_level": "move-split:by_level=1",
              "heaviest_level": "move-split:whole=heaviest,by_level=1", "refine_level": "greedy-refine:by_level=1", "auto": "auto"}
# Bytes of a cell at a sync point: five numbers, and with gravity about as many again. Three layers of five numbers go over a cut. Both sides
# compute the states of one layer.
GHOSTS = {"amr64": "80:120:1", "amr128": "80:120:1", "shockpool3d": "40:120:1", "sod": "40:120:1"}


def samr(bench, problem):
    return [os.path.join(bench.build, "apps", "samr", "samr"), "--scenario", os.path.join(ROOT, "apps", "samr", "scenarios", f"{problem}.ini")]


def recorded(bench, problem, steps):
    size = ["--cells", "8,8,8", "--levels", "2"] if bench.small else ["--roots", str(max(PES))]
    return bench.make(f"{problem}.sktrace", lambda path: ["mpirun", "-n", "2", *samr(bench, problem), *size, "--steps", str(steps),
                                                         "--greatest", "64", "--skein.lb-period=1000000000", f"--skein.trace={path}"])


def times(bench, problem):
    """Prints simulated seconds with each strategy, a row for each number of PEs, and returns the figures."""
    figures, rows = {}, []
    name, steps = PROBLEMS[problem]
    trace = recorded(bench, problem, 1 if bench.small else steps)
    for pes in (2, 4) if bench.small else PES:
        took = {}
        for key, strategy in STRATEGIES.items():
            told = bench.simulate(trace, "origin2000", pes, strategy, 1, more=["--alone", "--part-ghosts", GHOSTS[problem]])
            took[key] = told["makespan_s"]
            figures[f"{key}_{pes}"] = took[key]
            figures[f"{key}_parts_{pes}"] = sum(step.get("parts_split_off", 0) for step in told["steps"])
        best = min(took, key=took.get)
        figures[f"best_{pes}"] = STRATEGIES[best]
        for key in STRATEGIES:
            figures[f"{key}_saves_{pes}"] = 100 * (1 - took[key] / took["enzo"])
        figures[f"auto_longer_{pes}"] = 100 * (took["auto"] / took[best] - 1)
        figures[f"best_saves_{pes}"] = 100 * (1 - took[best] / took["enzo"])
        theirs = THEIRS[problem][PES.index(pes) - 1] if pes in PES[1:] else "-"
        rows.append([str(pes), *took.values(), figures[f"split_saves_{pes}"], theirs, STRATEGIES[best]])
    bench.table(f"Table 2, {name}: simulated seconds on origin2000, and the time that move-split saves against enzo, in %",
                ["PEs", *STRATEGIES.values(), "saved", "theirs", "least"], rows)
    return figures


# ---- comparison with runs that really divide grids

CASES = {"sod": ["--problem", "sod", "--cells", "192,64,64", "--greatest", "64", "--levels", "1", "--steps", "60"],
         "shockpool3d": ["--problem", "shockpool3d", "--greatest", "64", "--steps", "18"]}
SMALL = {"sod": ["--problem", "sod", "--cells", "48,16,16", "--levels", "1", "--steps", "4"]}
ROUNDS = 3


def parts(bench):
    """Compares runs on two PEs under move-split with simulations from recordings without a strategy, made in turn; returns the figures."""
    figures, rows = {}, []
    platform = "origin2000" if bench.small else bench.make("here.platform", lambda path: [bench.skein, "calibrate", "-p", "2", "-o", path])
    for name, options in (SMALL if bench.small else CASES).items():
        program = [os.path.join(bench.build, "apps", "samr", "samr"), *options]
        for way in ("none", "move-split"):
            real, simulated, split = [], [], []
            for number in range(1 if bench.small else ROUNDS):
                trace, report = (bench.path(f"{name}.{way}.{number}.{kind}") for kind in ("sktrace", "json"))
                run = ["mpirun", "-n", "2", *program]
                bench.run([*run, "--skein.lb-period=1000000000", f"--skein.trace={trace}"])
                bench.run([*run, "--skein.lb-period=" + ("1000000000" if way == "none" else "1"), f"--skein.lb={way}",
                           f"--skein.lb-report={report}"])
                with open(report, encoding="utf-8") as file:
                    real.append(json.loads(file.readlines()[-1])["end"]["at_s"])
                told = bench.simulate(trace, platform, 2, way, 1, more=["--alone", "--map", "recorded", "--part-ghosts", GHOSTS[name]])
                simulated.append(told["makespan_s"])
                split.append(sum(step.get("parts_split_off", 0) for step in told["steps"]))
            seconds = [statistics.median(each) for each in (simulated, real)]
            error = statistics.median(100 * (a / b - 1) for a, b in zip(simulated, real))
            rows.append([f"{name}, {way}", *seconds, error, split[0]])
            figures.update({f"{name}_{way}_{key}": value for key, value in zip(("simulated", "real", "error", "split"), (*seconds, error, split[0]))})
    bench.table(f"Seconds on two PEs, median of {ROUNDS} (wanted: within 8 %)", ["", "simulated", "real", "error, %", "parts"], rows)
    return figures


PARTS = {**{f"simulated_{problem}": functools.partial(times, problem=problem) for problem in PROBLEMS}, "parts": parts}

HERE = ["bench/papers/lan_simulated.py", "lb/simulate/object_player_parts.cpp", "lb/simulate/platforms/origin2000.json"]


def listed(problem, key, form):
    return ", ".join(f"{{simulated_{problem}[{key}_{pes}]{form}}}" for pes in PES[1:])


MORE = {"amr64": " On 48 and 64 PEs a PE has hardly more than one of these grids, of 8^3 cells, and a part sends more than it computes."}


def item(problem):
    name, steps = PROBLEMS[problem]
    return Item(f"Table 2: {name}, times on an Origin2000, simulated", HERE, f"simulated_{problem}",
                f"their scheme saves {', '.join(f'{x:.1f}' for x in THEIRS[problem])} % of the original's time on 8, 16, 32, 48 and 64 PEs",
                f"`move-split` saves {listed(problem, 'split_saves', ':.1f')} % of `enzo`'s, `whole=heaviest` {listed(problem, 'heaviest_saves', ':.1f')} %, and the "
                f"best, {listed(problem, 'best', '')}, {listed(problem, 'best_saves', ':.1f')} %; `auto` takes {listed(problem, 'auto_longer', ':.1f')} % more than "
                "the best",
                f"Two PEs recorded {steps} steps of level 0, cut into 64 grids, without a strategy; parts and their ghost zones follow the formula of "
                f"docs/simulation.md.{MORE.get(problem, '')} So few LB steps hardly pay what `auto` tries: decisions take twenty times as long as today.")


ITEMS = [
    *map(item, PROBLEMS),
    Item("Figure 8: their scheme, simulated beside runs", HERE[:2], "parts", "",
         "on two PEs simulated times are off by {parts[sod_move-split_error]:.1f} and {parts[shockpool3d_move-split_error]:.1f} % with `move-split`, and by "
         "{parts[sod_none_error]:.1f} and {parts[shockpool3d_none_error]:.1f} % with nobody moving", "Sod's tube of three grids, of which one is divided; ShockPool3D"),
]
