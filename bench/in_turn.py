#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the speed of two builds: measures rows of bench/run.sh, native.sh and simulate of both in turn.

  bench/in_turn.py [--rounds N] [--only TEXT] BEFORE AFTER

BEFORE and AFTER are build directories of two versions, whose benchmarks are built. Each round measures a row with one, then
with the other; which is first changes from round to round. A row's figure is the median over the rounds of AFTER's figure
divided by BEFORE's, so a disturbance that lasts longer than a round disturbs both. Exit status 1 if the median of all rows is
above 1.01. A row that one of the builds does not have is named and left out.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys

BOUND = 1.01


def ranks(pes, count, *measurement):
    """Returns the command of a measurement of mpi_bench, with so many PEs and ranks, for a build."""
    return lambda build: [f"{build}/bin/skein", "run", "-p", str(pes), "-n", str(count), f"{build}/bench/micro/mpi_bench", *measurement]


def native(pes, *measurement):
    """Returns the command of a measurement of chare_bench, on so many PEs, for a build."""
    return lambda build: ["mpirun", "-n", str(pes), f"{build}/bench/micro/chare_bench", *measurement]


def simulated(*measurement):
    """Returns the command of a measurement of simulate_bench, which is in processor time, for a build."""
    return lambda build: [f"{build}/bench/simulate/simulate_bench", *measurement]


ROWS = {
    "one way, 8 B, ranks of one PE": ranks(1, 2, "pingpong", "8"),
    "one way, 1 MiB, ranks of one PE": ranks(1, 2, "pingpong", "1048576"),
    "one way, 8 B, two PEs": ranks(2, 2, "pingpong", "8"),
    "one way, 1 KiB, two PEs": ranks(2, 2, "pingpong", "1024"),
    "one way, 1 MiB, two PEs": ranks(2, 2, "pingpong", "1048576"),
    "a message of 8 B, 16 ranks to 16 on another PE": ranks(2, 32, "rate", "8"),
    "barrier of 64 ranks on one PE": ranks(1, 64, "barrier"),
    "halo, 64 ranks on one PE, 1 KiB": ranks(1, 64, "halo", "1024"),
    "halo with persistent requests": ranks(1, 64, "persistent", "1024"),
    "yield with MPI_Iprobe": ranks(1, 2, "probe"),
    "allreduce of 8 B, 64 ranks on one PE": ranks(1, 64, "allreduce", "8"),
    "allreduce of 8 B, 32 ranks on 2 PEs": ranks(2, 32, "allreduce", "8"),
    "allreduce of 1 MiB, 32 ranks on 2 PEs": ranks(2, 32, "allreduce", "1048576"),
    "alltoall of 1 KiB, 32 ranks on 2 PEs": ranks(2, 32, "alltoall", "1024"),
    "memory of an idle rank, 2,100 ranks": ranks(1, 2100, "memory"),
    "native: empty entry method": native(1, "empty"),
    "native: with one int": native(1, "int"),
    "native: with one int, inlined": native(1, "inlined"),
    "native: one way, 8 B, two PEs": native(2, "number"),
    "native: one way, vector of 1 MiB, two PEs": native(2, "vector", "1048576"),
    "native: an aggregated call of 16 B, two PEs": native(2, "aggregate"),
    "native: creating 1,000,000 elements, two PEs": native(2, "create", "1000000"),
    "native: memory of an element": native(2, "memory", "1000000"),
    "native: broadcast and reduction over them": native(2, "cycle", "1000000"),
    "native: moving an element of 1 MiB": native(2, "move", "1048576"),
    "native: moving an element of 8 B": native(2, "move", "8"),
    "native: detection of quiescence": native(2, "quiescence"),
    "simulate: stencil, fast engine": simulated("stencil", "fast"),
    "simulate: stencil, SimGrid": simulated("stencil", "simgrid"),
    "simulate: kNeighbor, 4,096 ranks on 512 PEs": simulated("kneighbor", "4096", "512", "20"),
    "simulate: alltoall of 256 ranks": simulated("alltoall", "256", "32", "20"),
}


def figure(command):
    """Returns the first number behind the last colon of what a measurement prints; None if it fails."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", SKEIN_QUIET="1",
                       OMPI_MCA_hwloc_base_binding_policy="core")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    found = re.search(r"-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?", done.stdout.split(":")[-1])
    if done.returncode or not found:
        print(f"in_turn.py: {' '.join(command)} ended with {done.returncode}: {done.stderr}", file=sys.stderr)
        return None
    return float(found.group())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="rows whose names have this text")
    parser.add_argument("before")
    parser.add_argument("after")
    given = parser.parse_args()
    builds = [os.path.abspath(given.before), os.path.abspath(given.after)]
    for build in builds:
        if not os.path.exists(f"{build}/bench/micro/mpi_bench"):
            print(f"in_turn.py: {build} has no benchmarks; it has to be a build directory with SKEIN_BENCHMARKS=ON", file=sys.stderr)
            return 2
    print(f"{'measurement':46} {'before':>10} {'after':>10} {'ratio':>7}  rounds")
    medians = []
    for name, row in ROWS.items():
        if given.only not in name:
            continue
        found = []
        for turn in range(given.rounds):
            first = turn % 2
            one, other = figure(row(builds[first])), figure(row(builds[1 - first]))
            if one is None or other is None:
                break
            found.append((other, one) if first else (one, other))
        if len(found) < given.rounds:
            print(f"{name:46} left out")
            continue
        ratios = sorted(after / before for before, after in found)
        medians.append(statistics.median(ratios))
        print(f"{name:46} {statistics.median(b for b, _ in found):10.4g} {statistics.median(a for _, a in found):10.4g} "
              f"{medians[-1]:7.3f}  {ratios[0]:.3f} to {ratios[-1]:.3f}", flush=True)
    print(f"median of {len(medians)} rows: {statistics.median(medians):.3f}, at most {BOUND}")
    return statistics.median(medians) > BOUND


if __name__ == "__main__":
    sys.exit(main())
