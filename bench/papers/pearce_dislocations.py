# SPDX-License-Identifier: Apache-2.0
"""Figure 5 of pearce.py, of ParaDiS, played by apps/dislocations: the time that the program measures around its forces, beside its
whole work, over decompositions."""
import csv
import os

from frame.paper import Item

PROCESSES = 8
DECOMPOSITIONS = ["8x1x1", "1x8x1", "1x1x8", "4x2x1", "4x1x2", "2x4x1", "1x4x2", "2x1x4", "1x2x4", "2x2x2"]


def program(bench):
    return os.path.join(bench.build, "apps", "dislocations", "dislocations")


def ranks(values):
    """Returns the ranks of the values, from 0 on; equal values share the mean of their ranks."""
    order = sorted(values)
    return [(order.index(value) + len(order) - 1 - order[::-1].index(value)) / 2 for value in values]


def correlation(a, b):
    """Returns equation 13, Pearson's correlation of the ranks."""
    a, b = ranks(a), ranks(b)
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    square = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return both / square ** 0.5 if square > 0 else 1.0


def imbalance(loads):
    return 100 * (max(loads) * len(loads) / sum(loads) - 1)


def intervals(path):
    """Returns the loads of all processes in each interval: a list for each column."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            of_step = found.setdefault(int(row["step"]), {})
            for name, value in row.items():
                of_step.setdefault(name, []).append(float(value))
    return found.values()


def mean(values):
    return sum(values) / len(values)


def calipers(bench):
    """Measures the processor time of each process, without waiting in MPI, because processes share the cores."""
    steps, sources = (8, 12) if bench.small else (60, 150)
    figures, rows, everything = {}, [], []
    for dims in DECOMPOSITIONS[-2:] if bench.small else DECOMPOSITIONS:
        loads = bench.path(f"{dims}.csv")
        bench.run(["mpirun", "-n", str(PROCESSES), program(bench), "--dims", dims, "--sources", str(sources), "--steps", str(steps),
                   "--balance", str(steps // 4), "--report", str(steps), "--loads", loads])
        runs = list(intervals(loads))
        everything += runs
        told, worked = [[imbalance(run[name]) for run in runs] for name in ("forces_s", "work_s")]
        rows.append([dims, mean(told), mean(worked), mean([correlation(run["forces_s"], run["work_s"]) for run in runs]),
                     100 * mean([1 - sum(run["forces_s"]) / sum(run["work_s"]) for run in runs])])
    errors = [imbalance(run["forces_s"]) - imbalance(run["work_s"]) for run in everything]
    figures["rmse of imbalance"] = mean([error * error for error in errors]) ** 0.5
    figures["rank correlation"] = mean([correlation(run["forces_s"], run["work_s"]) for run in everything])
    figures["least rank correlation"] = min(correlation(run["forces_s"], run["work_s"]) for run in everything)
    figures["rank correlation, stresses"] = mean([correlation(run["evaluations"], run["forces_s"]) for run in everything])
    missed = [100 * (1 - forces / work) for run in everything for forces, work in zip(run["forces_s"], run["work_s"])]
    figures["missed, mean"] = 100 * (1 - sum(sum(run["forces_s"]) for run in everything) /
                                     sum(sum(run["work_s"]) for run in everything))
    figures["missed, most of a process"] = max(missed)
    for name in ("collisions_s", "remesh_s"):
        figures[f"part of {name[:-2]}"] = 100 * sum(sum(run[name]) for run in everything) / sum(sum(run["work_s"]) for run in everything)
    bench.table("Figure 5: calipers against what is worked; theirs: somewhat inaccurate, up to 15 % of the time missed",
                ["decomposition", "imbalance told %", "worked %", "rank correlation", "missed %"], rows)
    return figures


PARTS = {"calipers": calipers}

ITEMS = [
    Item("Figure 5: ParaDiS, the imbalance by calipers and as worked", ["apps/dislocations", "bench/papers/pearce_dislocations.py"], "calipers",
         "somewhat inaccurate; up to 15 % of the time missed",
         "root mean square error {calipers[rmse of imbalance]:.1f} points; {calipers[missed, mean]:.1f} % of the time missed, "
         "of one process up to {calipers[missed, most of a process]:.1f} %",
         "The run has one dislocation type in a small box on 8 processes, and no junctions. Waiting in MPI does not count as work here, since "
         "processes share cores.", worse=True),
    Item("Figure 5(b): rank correlation of calipers and measured loads", ["apps/dislocations", "bench/papers/pearce_dislocations.py"],
         "calipers", "below 1, by curves without numbers",
         "{calipers[rank correlation]:.3f} on average, at least {calipers[least rank correlation]:.3f}",
         "Calipers miss collisions ({calipers[part of collisions]:.1f} % of the work) and remeshing ({calipers[part of remesh]:.1f} %) here, "
         "which grow with the segments as forces do."),
]
