#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The size of pages of skein report, and the time they take to open in Chromium.

  bench/report.py SKEIN

Two pages: loads of 4,096 PEs in 500 intervals, in which a hot spot wanders over noise and 32,768 ranks move after
it; and a simulation with a million bursts.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/job/report"))
from browser import browser  # noqa: E402

PES, INTERVALS, RANKS, MOVED = 4096, 500, 32768, 200
BURSTS, BURST_PES = 1_000_000, 256
MOST_SECONDS, MOST_BYTES = 2, 20e6
MOST_FRAME_SECONDS = 0.2


def write_loads(path):
    random.seed(1)
    places = [rank * PES // RANKS for rank in range(RANKS)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"job": {"version": 1, "command": "made up", "lb": "refine", "pes": PES, "objects": "ranks",
                                       "placement": places}}) + "\n")
        noise = [random.gauss(0, 0.03) for _ in range(PES)]
        for k in range(INTERVALS):
            spot = k * PES // INTERVALS
            unbalanced = [round(max(0.0, 1 + noise[pe] + random.gauss(0, 0.01) + 2 * max(0, 1 - abs(pe - spot) / 400)), 9)
                          for pe in range(PES)]
            busy = [round(0.6 * load + 0.5, 9) for load in unbalanced]
            interval = {"at_s": 2.0 * (k + 1), "interval_s": 1.99, "busy_s": busy, "busy_unbalanced_s": unbalanced,
                        "max_busy_unmoved_s": max(busy)}
            if k + 1 == INTERVALS:
                file.write(json.dumps({"end": interval}) + "\n")
                break
            moves = []
            for rank in random.sample(range(RANKS), MOVED):
                to = random.randrange(PES)
                moves.append([rank, places[rank], to])
                places[rank] = to
            file.write(json.dumps({
                "step": k + 1, "strategy": "refine", **interval, "imbalance_before_percent": 30.0,
                "imbalance_after_percent": 5.0, "objects_moved": MOVED, "objects_pinned": [], "bytes_handed_over": 0,
                "bytes_copied": 1000000, "meet_s": 1e-4, "decide_s": 1e-3, "move_s": 2e-3, "moves": moves, "why": ""}) + "\n")


def write_bursts(path):
    random.seed(2)
    bursts, end = [], 0
    for pe in range(BURST_PES):
        now = 0
        for k in range(BURSTS // BURST_PES):
            now += random.randrange(200, 20_000)
            length = random.randrange(1_000, 200_000)
            bursts.append([pe * 8 + k % 8, pe, now, now + length])
            now += length
        end = max(end, now)
    seconds = end * 1e-9
    loads = [[seconds / 2] * BURST_PES]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"kind": "simulation", "version": 1, "program": "made up", "ranks": 8 * BURST_PES, "complete": True,
                   "platform": "made up", "pes": BURST_PES, "lb": "none", "lb_period": 1, "makespan_s": seconds, "steps": [],
                   "interval_end_s": [seconds], "busy_s": loads, "busy_unbalanced_s": loads,
                   "max_busy_unmoved_s": [seconds / 2], "placement": [i // 8 for i in range(8 * BURST_PES)],
                   "bursts": bursts}, file)


def row(what, value, unit, bound):
    verdict = "ok" if value <= bound else "MISSED"
    print(f"{what:52} {value:10.3f} {unit:3} at most {bound:g}  {verdict}")
    return value <= bound


def open_page(page, path):
    """Returns the seconds until all is on the page and the first screen is drawn."""
    begin = time.monotonic()
    page.open(path)
    page.wait("document.documentElement.dataset.ready && document.querySelector('canvas').dataset.drawn", 60)
    return time.monotonic() - begin


def main():
    skein = sys.argv[1]
    good = True
    with tempfile.TemporaryDirectory() as folder, browser() as page:
        for what, write in ((f"{PES} PEs x {INTERVALS} intervals", write_loads), (f"{BURSTS} bursts", write_bursts)):
            data, path = os.path.join(folder, "data.json"), os.path.join(folder, "page.html")
            write(data)
            begin = time.monotonic()
            subprocess.run([skein, "report", data, "-o", path], check=True, stdout=subprocess.DEVNULL)
            print(f"{what}: written in {time.monotonic() - begin:.1f} s from {os.path.getsize(data) / 1e6:.0f} MB")
            good &= row(f"{what}: size", os.path.getsize(path) / 1e6, "MB", MOST_BYTES / 1e6)
            open_page(page, path)  # starts the browser itself
            good &= row(f"{what}: opened", min(open_page(page, path) for _ in range(3)), "s", MOST_SECONDS)
            page.run("document.querySelectorAll('.plane').forEach(p => p.scrollIntoView())")
            # Redraws all charts one after the other, as a gesture does.
            seconds = page.run("""
              document.querySelector('#heat-map .plane, #timeline .plane').scrollIntoView();
              const id = document.querySelector('#timeline') ? '#timeline' : '#heat-map';
              const plane = Plane.all.find(p => document.querySelector(id).contains(p.root.node()));
              plane.resize();
              const begin = performance.now();
              for (let i = 0; i < 10; ++i) plane.draw();
              return (performance.now() - begin) / 10 / 1000""")
            good &= row(f"{what}: a frame of its largest chart", seconds, "s", MOST_FRAME_SECONDS)
            if page.console():
                sys.exit(f"the console says {page.console()}")
    sys.exit(0 if good else 1)


main()
