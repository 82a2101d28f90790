# SPDX-License-Identifier: Apache-2.0
"""Files that skein report draws, made up from formulas."""
import json
import os
import subprocess


def lateness(k, intervals):
    """Returns the report's members for step k, counted from 0, of a lazy job: its last decision is dropped."""
    return {"late_points": k + 1, "late_decide_s": 0.125, "dropped": k == intervals - 2, "drift_work_percent": -10.0,
            "drift_changed_percent": 75.0, "drift_change_percent": 20.0, "drift_imbalance_percent": 10.0 * k}


def run_report(path, pes=4, intervals=6, ranks=8, load=None, length=1.0, lazy=False, last=None):
    """Writes a report like --lb-report: `load(interval, pe)` in seconds; in step k rank k goes on to the next PE.
    The last interval has its own length."""
    load = load or (lambda interval, pe: (1 + pe + interval) / (pes + intervals))
    places = [rank * pes // ranks for rank in range(ranks)]
    lines = [{"job": {"version": 1, "command": "skein run ./made-up", "lb": "rotate", "pes": pes, "objects": "ranks",
                      "placement": list(places)}}]
    for k in range(intervals):
        busy = [load(k, pe) for pe in range(pes)]
        mean = sum(busy) / pes
        own = last if last and k + 1 == intervals else length
        interval = {"at_s": k * length + own, "interval_s": own, "busy_s": busy,
                    "busy_unbalanced_s": [2 * seconds for seconds in busy], "max_busy_unmoved_s": max(busy) + 0.25}
        if k + 1 == intervals:
            lines.append({"end": interval})
            break
        rank = k % ranks
        before, places[rank] = places[rank], (places[rank] + 1) % pes
        percent = (max(busy) / mean - 1) * 100 if mean > 0 else 0
        lines.append({"step": k + 1, "strategy": "rotate", **interval, "imbalance_before_percent": percent,
                      "imbalance_after_percent": percent / 2, "objects_moved": 1, "objects_pinned": [],
                      "bytes_handed_over": 5000, "bytes_copied": 0, "meet_s": 0.001, "decide_s": 0.002, "move_s": 0.003,
                      "moves": [[rank, before, places[rank]]], "why": "", **(lateness(k, intervals) if lazy else {})})
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


def simulation(path, pes=2, intervals=6, ranks=4, name="rotate", **more):
    """Writes a file like skein simulate --json: PE 0 computes all of each second, PE 1 the first quarter; rank 0 goes to
    PE 1 in the first step and back in the next, and so on."""
    steps, place = [], 0
    for k in range(intervals - 1):
        steps.append({"step": k + 1, "strategy": name, "at_s": k + 0.999, "points": 1, "imbalance_before_percent": 60.0,
                      "imbalance_after_percent": 30.0, "objects_moved": 1, "bytes_moved": 1000, "meet_s": 0.0001,
                      "collect_s": 0.0002, "decide_s": 0.0003, "move_s": 0.0004, "moves": [[0, place, 1 - place]]})
        place = 1 - place
    rows = [[1.0, 0.25] + [0.0] * (pes - 2)] * intervals
    bursts = [[0, 0, k * 10**9, (k + 1) * 10**9] for k in range(intervals)]
    bursts += [[2, 1, k * 10**9, k * 10**9 + 250_000_000] for k in range(intervals)]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"kind": "simulation", "version": 1, "program": "./made-up", "ranks": ranks, "complete": True,
                   "platform": "paper", "pes": pes, "lb": name, "lb_period": 1, "makespan_s": float(intervals),
                   "steps": steps, "interval_end_s": [k + 1.0 for k in range(intervals)], "busy_s": rows,
                   "busy_unbalanced_s": rows, "max_busy_unmoved_s": [1.5] * intervals,
                   "placement": [rank * pes // ranks for rank in range(ranks)], "bursts": bursts, **more}, file)
    return path


def path_of(compute_s, **more):
    """Returns what skein simulate --critical-path adds to that file."""
    return {"compute_s": compute_s, "transfer_s": 0.0, "collective_s": 0.0, "balancing_s": 0.0, "between_s": 0.0, "waiting_s": 0.0,
            **more}


def slices(path, pes=3):
    """Writes slices of a domain 2 wide and 1 high at three times: the left half 1, the right 10 on PE 1; from time 1 on finer
    grids in the middle, first 100 on PE 2, then 1000."""
    coarse = [{"level": 0, "pe": pe, "box": [pe, 0, pe + 1, 1], "cells": [2, 2], "values": [10 ** pe] * 4} for pe in range(2)]
    lines = [{"kind": "slices", "program": "made-up", "quantity": "density", "plane": "z = 0", "x": [0, 2], "y": [0, 1], "pes": pes}]
    for time in range(3):
        # The values begin with the upper row: the lower row is 100, the upper one 100 times the time.
        fine = {"level": 1, "pe": 2, "box": [0.75, 0.25, 1.25, 0.75], "cells": [1, 2], "values": [100, 100 * 10 ** (time - 1)]}
        lines.append({"time": time, "grids": [*([fine] if time else []), *coarse]})
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


def tuning(path):
    """Writes a file like skein tune --json: three configurations, one that was dropped, one that cannot be simulated."""
    def row(strategy, period, pes, seconds, frontier, **more):
        return {"strategy": strategy, "period": period, "ranks": 16, "pes": pes, "points": None, "seconds": [seconds],
                "mean_s": seconds, "half_width_s": 0.01, "imbalance_percent": 5.0, "steps": 9.0, "moved": 12.0,
                "on_frontier": frontier, "as_good": False, **more}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"kind": "tuning", "command": "skein run -p 4 --lb refine --lb-period 5 ./made-up",
                   "rows": [row("refine", 5, 4, 1.5, True), row("greedy", "auto", 4, 1.75, False),
                            row("none", 1, 2, 2.5, True), row("rotate", 1, 4, 9.0, False, points=10),
                            {"strategy": "rcb", "period": 1, "ranks": 16, "pes": 4, "why_not": "needs positions"}]}, file)
    return path


RING = r"""#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static char out[1000], in[1000];
  for (int i = 0; i < 10; ++i) {
    for (volatile int k = 0; k < 200000; ++k) {}
    MPI_Sendrecv(out, 1000, MPI_CHAR, (rank + 1) % size, 0, in, 1000, MPI_CHAR, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Migrate();
  }
  return MPI_Finalize();
}
"""


def trace(skein, folder, ranks=4):
    """Records a ring in which each rank sends ten messages of 1000 B to the next."""
    source, program, path = (os.path.join(folder, name) for name in ("ring.c", "ring", "ring.sktrace"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(RING)
    subprocess.run([skein, "cc", source, "-o", program], check=True)
    subprocess.run([skein, "run", "-p", "1", "-n", str(ranks), "--trace", path, program], check=True, stdin=subprocess.DEVNULL)
    return path
