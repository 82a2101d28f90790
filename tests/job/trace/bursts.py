# SPDX-License-Identifier: Apache-2.0
"""bursts.py SKEIN TRACE_TEXT PROGRAM WORK: recorded bursts agree with the loads that LB steps measure.

All processor time of a rank is in a burst or inside a call that may wait; the load also includes the time for which others had
the core in a burst, which the recording gives as a sum. So, up to the last step, over all ranks:
  bursts <= load <= bursts + time in calls + time of others
Nanoseconds are rounded, by half of one an event."""
import json
import pathlib
import re
import subprocess
import sys

skein, trace_text, program, work = sys.argv[1:]
rounds = 20


def measured(report):
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    return sum(sum(line["pe_loads_s"]) for line in lines if "step" in line) * 1e9


def recorded(trace):
    """Returns bursts, time in calls and events up to the last sync point of each rank."""
    bursts = calls = events = 0
    text = subprocess.run([trace_text, trace, "--times"], check=True, capture_output=True, text=True).stdout
    for section in text.split("object ")[1:]:
        lines = section.splitlines()[1:]
        last = max(i for i, line in enumerate(lines) if line.startswith("sync"))
        for line in lines[: last + 1]:
            burst, call = re.search(r" burst (\d+) call (\d+)", line).groups()
            bursts += int(burst)
            calls += int(call)
            events += 1
    return bursts, calls, events


for pes, lb in (("1", "rotate"), ("2", "rotate"), ("2", "random")):
    trace, report = pathlib.Path(work) / "bursts.sktrace", pathlib.Path(work) / "bursts.report"
    subprocess.run([skein, "run", "-q", "-p", pes, "-n", "4", "--lb", lb, "--lb-period", "1", "--lb-report", report,
                    "--trace", trace, program, str(rounds), "100"], check=True, stdout=subprocess.DEVNULL)
    bursts, calls, events = recorded(trace)
    told = subprocess.run([skein, "trace", "info", "--json", trace], check=True, capture_output=True, text=True).stdout
    others = json.loads(told)["others_had_s"] * 1e9
    load = measured(report)
    print(f"{pes} PEs, {lb}: bursts {bursts} ns, load {load:.0f} ns, in calls {calls} ns, of others {others:.0f} ns, {events} events")
    # A rank computes 3 or 4 times 100 us a round, by turns; two clocks may differ by a hundredth.
    if bursts < 0.99 * 4 * (rounds // 2) * (3 + 4) * 100e3:
        sys.exit("less was recorded than the program computes")
    if not bursts - events / 2 <= load <= bursts + calls + others + events / 2:
        sys.exit("bursts and load do not fit together")
