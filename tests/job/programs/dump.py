#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--lb-dump writes what `loads` did, and --lb-model decides which loads the strategy sees.

  dump.py SKEIN LOADS P2P
"""
import json
import os
import subprocess
import sys
import tempfile
import time

LOADS = [[10, 1, 2, 4], [1, 12, 3, 5], [7, 6, 5, 4]]  # as in loads.c
POSITIONS = [[None] * 4] + [[(rank + 10 * step, -rank, 0.5) for rank in range(4)] for step in (1, 2)]


def longest_first(loads):
    """The two sets of ranks that greedy makes for two PEs: the heaviest first, each to the less loaded PE."""
    ranks, sums = [set(), set()], [0, 0]
    for rank in sorted(range(4), key=lambda r: -loads[r]):
        pe = sums.index(min(sums))
        ranks[pe].add(rank)
        sums[pe] += loads[rank]
    return {frozenset(ranks[0]), frozenset(ranks[1])}


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got}, not {wanted}")


def run(skein, program, folder, *options):
    """Returns the phases of the dump of a run with these options."""
    dump = os.path.join(folder, "dump.json")
    subprocess.run([skein, "run", "-q", "-p", "2", "-n", "4", "--lb-period", "1", "--lb-dump", dump, *options, program],
                   check=True, timeout=60)
    with open(dump, encoding="utf-8") as file:
        data = json.load(file)
    expect("the type", data["metadata"]["type"], "LBDatafile")
    return data["phases"]


def objects(phase):
    return [task for task in phase["tasks"] if "skein_pe_speed" not in task.get("attributes", {})]


def position(task):
    attributes = task.get("attributes", {})
    return tuple(attributes[f"skein_{axis}"] for axis in "xyz") if "skein_x" in attributes else None


def placement(phase):
    ranks = {0: set(), 1: set()}
    for task in objects(phase):
        ranks[task["node"]].add(task["entity"]["seq_id"])
    return {frozenset(ranks[0]), frozenset(ranks[1])}


def held(phase):
    """Returns the bytes that each PE's ranks hold."""
    sums = [0, 0]
    for task in objects(phase):
        sums[task["node"]] += task["user_defined"]["task_serialized_bytes"]
    return sums


def check_memory(skein, program, folder, free):
    """Checks that with room for two and a half ranks a PE no step leaves more on one; `free` is the same run without
    a limit."""
    limit = int(2.5 * max(task["user_defined"]["task_serialized_bytes"] for phase in free for task in objects(phase)))
    expect("whether greedy alone breaks the limit", max(max(held(phase)) for phase in free[1:]) > limit, True)
    for strategy in ("greedy", "greedy-refine", "random", "auto"):
        phases = run(skein, program, folder, "--lb", strategy, "--lb-memory", str(limit))
        for phase in phases:
            expect(f"{strategy}: whether a PE holds more than --lb-memory", max(held(phase)) > limit, False)
            expect("the limit in the dump",
                   [task["attributes"]["skein_pe_memory_bytes"] for task in phase["tasks"] if task not in objects(phase)],
                   [limit, limit])


def check_events(skein, program, folder):
    """Checks that loads in events are not taken for seconds: the time is the time, and the events are a counter."""
    event = "perf::PAGE-FAULTS"
    if event not in subprocess.run([skein, "info"], capture_output=True, text=True, check=True).stdout:
        print(f"not tested: {event} is not counted here")
        return
    start = time.monotonic()
    phases = run(skein, program, folder, "--papi", event, "--lb-load", event)
    took = time.monotonic() - start
    faults = 0
    for phase in phases:
        for task in objects(phase):
            expect("whether a rank computed longer than the job took", task["time"] > took, False)
            count = task["attributes"]["skein_counter_0"]
            expect("whether events are whole", count, int(count))
            faults += count
    expect("whether ranks met new pages", faults > 0, True)


def check_content(phases, what):
    expect(f"{what}: ids", [phase["id"] for phase in phases], [0, 1, 2])
    for step, phase in enumerate(phases):
        loads = {task["entity"]["seq_id"]: task["time"] for task in objects(phase)}
        expect(f"{what}: loads of step {step}", loads, dict(enumerate(LOADS[step])))
        sent = {(edge["from"]["seq_id"], edge["to"]["seq_id"]): (edge["messages"], edge["bytes"])
                for edge in phase["communications"]}
        wanted = {(rank, (rank + 1) % 4): (step + 1, 1000.0 * (step + 1)) for rank in range(4)}
        expect(f"{what}: messages of step {step}", sent, wanted)
        places = {task["entity"]["seq_id"]: position(task) for task in objects(phase)}
        expect(f"{what}: positions in step {step}", places, dict(enumerate(POSITIONS[step])))
        expect(f"{what}: PEs", len(phase["tasks"]), 4 + 2)


def check_intervals(skein, declared, undeclared, folder):
    """Checks that measured loads come with the length of their interval, which declared loads do not need."""
    for phase in run(skein, declared, folder):
        expect("whether declared loads have an interval", "user_defined" in phase, False)
    for points in (1, 2):
        phases = run(skein, undeclared, folder, "--lb-period", str(points))
        expect("the sync points in the intervals", {phase["user_defined"]["skein_interval_points"] for phase in phases},
               {points})
        expect("whether intervals take time", all(phase["user_defined"]["skein_interval_s"] > 0 for phase in phases), True)


def main():
    skein, program, undeclared = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        # Without a strategy nothing moves: rank r starts on PE r / 2.
        still = run(skein, program, folder)
        check_content(still, "no strategy")
        for phase in still:
            expect("where ranks stay", placement(phase), {frozenset({0, 1}), frozenset({2, 3})})

        # A phase shows where ranks were in its interval: where the step before put them.
        last = run(skein, program, folder, "--lb", "greedy")
        check_content(last, "greedy")
        expect("after step 0", placement(last[1]), longest_first(LOADS[0]))
        expect("after step 1", placement(last[2]), longest_first(LOADS[1]))

        check_memory(skein, program, folder, last)
        check_events(skein, undeclared, folder)
        check_intervals(skein, program, undeclared, folder)

        mean = [(a + b) / 2 for a, b in zip(LOADS[0], LOADS[1])]
        expect("whether the means lead elsewhere", longest_first(mean) != longest_first(LOADS[1]), True)
        average = run(skein, program, folder, "--lb", "greedy", "--lb-model", "average:n=2")
        check_content(average, "average")
        expect("average: after step 0", placement(average[1]), longest_first(LOADS[0]))
        expect("average: after step 1", placement(average[2]), longest_first(mean))


main()
