# SPDX-License-Identifier: Apache-2.0
"""reproduced.py SKEIN TRACE_TEXT PROGRAM WORK: a simulation of a recorded run in the same configuration repeats the run.

A rank's computing is in its bursts, except inside calls that may wait. So, by interval and PE, with ranks where the trace has
them:
  simulated load  = bursts, to the nanosecond
  bursts         <= load that the run measured <= bursts + time in calls
except for the time for which others had the core in a burst, which the recording gives as a sum; and ranks move as they did.
Moves follow measured loads, which include what the machine does beside the job, or while a PE is inside a call, as bursts do
not: if that was so much that another decision was right, the run is repeated, up to 20 times."""
import json
import pathlib
import re
import subprocess
import sys

skein, trace_text, program, work = sys.argv[1:]
work = pathlib.Path(work)
ranks = 5
platform = work / "reproduced.platform"
platform.write_text('{"nodes": 1, "pes_per_node": 8, "node": {"latency_ns": 1000}}')


def fail(what):
    sys.exit(f"{case}: {what}")


def run(*command):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"{command} ended with {done.returncode}: {done.stderr}")
    return done.stdout


class Recorded:
    """Bursts, time in calls and events of each rank in each interval; and the placement of ranks."""

    def __init__(self, trace, pes, period):
        header, *sections = re.split(r"^object \d+\n", run(trace_text, trace, "--times"), flags=re.M)
        assert len(sections) == ranks and header == "complete 1\n"
        self.pes = pes
        self.others = json.loads(run(skein, "trace", "info", "--json", trace))["others_had_s"] * 1e9
        self.parts, self.moves = [], []
        for section in sections:
            intervals, syncs = [[0, 0, 0]], 0
            for line in section.splitlines():
                if line.startswith("step "):
                    self.moves.append({int(a): int(b) for a, b in re.findall(r"(\d+)>(\d+)", line)})
                    continue
                part = intervals[-1]
                burst, call = map(int, re.search(r" burst (\d+) call (\d+)", line).groups())
                part[0], part[1], part[2] = part[0] + burst, part[1] + call, part[2] + 1
                if line.startswith("sync"):
                    syncs += 1
                    if period and syncs % period == 0:
                        intervals.append([0, 0, 0])
            self.parts.append(intervals)
        placement = [rank * pes // ranks for rank in range(ranks)]
        self.placements = [placement]
        for moves in self.moves:
            self.placements.append([moves.get(rank, pe) for rank, pe in enumerate(self.placements[-1])])

    def on(self, interval, pe, what):
        placement = self.placements[min(interval, len(self.placements) - 1)]
        return sum(self.parts[rank][interval][what] for rank in range(ranks) if placement[rank] == pe)


def simulated_placements(simulated):
    """Returns the placement of ranks in each interval."""
    placements = [simulated["placement"]]
    for step in simulated["steps"]:
        went = {rank: to for rank, _, to in step["moves"]}
        placements.append([went.get(rank, pe) for rank, pe in enumerate(placements[-1])])
    return placements


def recorded_run(pes, lb, period):
    """Returns of a run: its simulation, the values of its trace, the steps of its report."""
    length, stay = 20, 3
    trace, report = work / "reproduced.sktrace", work / "reproduced.report"
    balancing = ["--lb", lb] + (["--lb-period", period] if period else [])
    for _ in range(20):
        run(skein, "run", "-q", "-p", pes, "-n", ranks, *balancing, "--lb-report", report, "--trace", trace, program, 12,
            stay, length)
        recorded = Recorded(trace, pes, period)
        steps = [line for line in map(json.loads, report.read_text().splitlines()) if "step" in line]
        simulated = json.loads(run(skein, "simulate", trace, "--platform", platform, "--pes", pes, *balancing, "--json"))
        placements = simulated_placements(simulated)
        if placements == recorded.placements:
            return simulated, recorded, steps
    fail(f"ranks are simulated on {placements}, and were on {recorded.placements}")


moved = 0
for pes, lb, period in ((2, "none", 0), (1, "rotate", 2), (2, "greedy-refine", 3), (3, "greedy", 2), (2, "rotate", 1)):
    case = f"{pes} PEs, {lb}, period {period}"
    simulated, recorded, steps = recorded_run(pes, lb, period)

    intervals = len(recorded.parts[0])
    if len(simulated["busy_s"]) != intervals or len(simulated["steps"]) != len(recorded.moves):
        fail(f"{len(simulated['steps'])} steps, of {len(recorded.moves)} that there were")
    if lb != "none" and len(recorded.moves) != 12 // period:
        fail(f"the trace tells of {len(recorded.moves)} steps")
    for interval in range(intervals):
        for pe in range(pes):
            bursts, busy = recorded.on(interval, pe, 0), simulated["busy_s"][interval][pe] * 1e9
            if abs(bursts - busy) > 0.01:
                fail(f"interval {interval}, PE {pe}: bursts {bursts} ns, simulated {busy} ns")
    moved += sum(a != b for before, after in zip(recorded.placements, recorded.placements[1:]) for a, b in zip(before, after))

    outside = all_loads = too_much = 0
    for interval, step in enumerate(steps):
        for pe in range(pes):
            bursts, calls, events = (recorded.on(interval, pe, what) for what in range(3))
            load = step["pe_loads_s"][pe] * 1e9
            outside, all_loads = outside + load - bursts, all_loads + load
            # Nanoseconds are rounded, by half of one an event.
            too_much += max(0, load - bursts - calls - events)
            if bursts - events > load or too_much > recorded.others:
                fail(f"interval {interval}, PE {pe}: bursts {bursts} ns, in calls {calls} ns, measured {load:.0f} ns; too much "
                     f"so far {too_much:.0f} ns, of others {recorded.others:.0f} ns")
    if lb != "none" and len(steps) != len(recorded.moves):
        fail(f"the report tells of {len(steps)} steps")
    if steps:
        print(f"{case}: {100 * outside / all_loads:.3f} % of the measured load is in no burst")
if moved < 10:
    sys.exit(f"{moved} ranks have moved in all: too few to tell")
