#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the output of lazy_paper and lazy_drift, as docs/lazy.md shows it.

usage: draw.py modes LAZY_PAPER_OUTPUT PES OUT.svg   with 10, 100 and 1,000 ns an interaction, on PES PEs
       draw.py drift LAZY_DRIFT_OUTPUT OUT.svg
"""
import math
import re
import sys

COLOURS = ["#1f6fb2", "#c0392b", "#2e8b57"]
LEFT, RIGHT, TOP, BOTTOM, HEIGHT = 52, 300, 40, 250, 300


class Chart:
    """One panel; x and y are functions from values to evenly drawn ones."""

    def __init__(self, at, title, x_title, x_range, y_range, x_ticks, y_ticks, x=float, y=float):
        self.at, self.x, self.y = at, x, y
        self.x_range, self.y_range = [x(v) for v in x_range], [y(v) for v in y_range]
        self.out = [f'<text x="{at + LEFT}" y="20" font-size="13">{title}</text>', '<g stroke="#ddd">']
        self.out += [f'<path d="M{at + LEFT} {self.down(v)}H{at + RIGHT}"/>' for v, _ in y_ticks]
        self.out += ["</g>", '<g text-anchor="end">']
        self.out += [f'<text x="{at + LEFT - 6}" y="{self.down(v) + 4}">{text}</text>' for v, text in y_ticks]
        self.out += ["</g>", '<g text-anchor="middle">']
        self.out += [f'<text x="{self.across(v)}" y="{BOTTOM + 18}">{text}</text>' for v, text in x_ticks]
        self.out += [f'<text x="{at + (LEFT + RIGHT) // 2}" y="{BOTTOM + 38}">{x_title}</text>', "</g>"]

    def across(self, value):
        low, high = self.x_range
        return round(self.at + LEFT + (RIGHT - LEFT) * (self.x(value) - low) / (high - low))

    def down(self, value):
        low, high = self.y_range
        return round(BOTTOM - (BOTTOM - TOP) * (self.y(value) - low) / (high - low))

    def line(self, points, colour, dashed=False):
        inside = [(x, y) for x, y in points if self.y_range[0] <= self.y(y) <= self.y_range[1]]
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        joined = " ".join(f"{self.across(x)},{self.down(y)}" for x, y in inside)
        self.out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dash} points="{joined}"/>')
        self.out += [f'<circle cx="{self.across(x)}" cy="{self.down(y)}" r="3" fill="{colour}"/>' for x, y in inside]

    def say(self, at, y, text, colour="#222"):
        self.out.append(f'<text x="{self.at + at}" y="{y}" fill="{colour}">{text}</text>')


def write(file, title, charts):
    width = max(chart.at for chart in charts) + RIGHT + 20
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" '
            'font-size="12" fill="#222">')
    lines = [head, f"<title>{title}</title>", f'<rect width="{width}" height="{HEIGHT}" fill="#fff"/>']
    with open(file, "w", encoding="ascii") as out:
        out.write("\n".join(lines + [line for chart in charts for line in chart.out] + ["</svg>"]) + "\n")


def modes(text, pes):
    """Returns (ns an interaction, inline seconds, {mode: [(m, seconds to decide, seconds)]}) of each machine."""
    ns, here, machines = None, None, []
    for line in text.splitlines():
        if found := re.match(r"([0-9.]+) ns an interaction", line):
            ns = found[1]
        elif found := re.match(r" *(\d+) PEs: inline ([0-9.]+) s", line):
            here = int(found[1]) == pes
            if here:
                machines.append((ns, float(found[2]), {"decoupled": [], "lazy": []}))
        elif here and (found := re.match(r"  (decoupled|lazy):pes=(\d+) +decides in +([0-9.]+) s.*?: +([0-9.]+) s", line)):
            machines[-1][2][found[1]].append((int(found[2]), float(found[3]), float(found[4])))
    if not machines:
        sys.exit(f"draw.py: nothing of {pes} PEs")
    return machines


def draw_modes(paper, pes, file):
    with open(paper, encoding="utf-8") as text:
        machines = [one for one in modes(text.read(), pes) if one[0] in ("10", "100", "1000")]
    counts = [m for m, _, _ in machines[0][2]["lazy"]]
    x_ticks = [(m, f"{m}") for m in counts]
    deciding = Chart(0, "Deciding, s", "PEs that decide", (1, counts[-1]), (1e-4, 1), x_ticks,
                     [(v, f"{v:g}") for v in (1e-4, 1e-3, 1e-2, 0.1, 1)], math.log, math.log10)
    deciding.line([(m, s) for m, s, _ in machines[0][2]["lazy"]], "#222")
    chart = Chart(320, "The whole run, inline = 1", "PEs that decide", (1, counts[-1]), (0, 1.5), x_ticks,
                  [(v, f"{v:g}") for v in (0, 0.5, 1, 1.5)], math.log)
    for (ns, inline_s, by_mode), colour in zip(machines, COLOURS):
        for mode, rows in by_mode.items():
            chart.line([(m, s / inline_s) for m, _, s in rows], colour, mode == "decoupled")
        last = by_mode["lazy"][0][2] / inline_s
        chart.say(LEFT + 8, chart.down(last) - 6, f"{ns} ns", colour)
    chart.say(60, 56, "Lazy; decoupled is dashed, and left")
    chart.say(60, 72, "out above 1.5")
    write(file, f"Time to decide, and of a run in modes decoupled and lazy, on {pes} PEs", [deciding, chart])


def drift(file):
    rows = []
    with open(file, encoding="utf-8") as text:
        for line in text:
            numbers = re.findall(r"[-+]?\d+(?:\.\d+)?", line)
            if re.match(r" *\d+ ", line) and len(numbers) >= 6:
                rows.append([float(n) for n in numbers])
    if not rows:
        sys.exit(f"draw.py: no steps in {file}")
    return rows


def draw_drift(output, file):
    rows = drift(output)
    last = rows[-1][0]
    steps = [(v, str(v)) for v in (1, 2, 5, 10, 20, 50, 100, 200, 500) if v <= last]
    changed = Chart(0, "Changed by above 5 %: percent", "steps since the decision", (1, last), (0, 100), steps,
                    [(v, str(v)) for v in range(0, 101, 20)], math.log)
    changed.line([(row[0], row[2]) for row in rows], COLOURS[0])
    most = 2 * math.ceil(max(row[6] for row in rows) / 2)
    uneven = Chart(320, "Imbalance, percent", "steps since the decision", (1, last), (0, most), steps,
                   [(v, str(v)) for v in range(0, most + 1, 2)], math.log)
    for column, colour, text, at in ((6, COLOURS[1], "of the late decision", 56),
                                     (7, COLOURS[2], "of one that is not late", 72)):
        uneven.line([(row[0], row[column]) for row in rows], colour)
        uneven.say(60, at, text, colour)
    write(file, "Drift of what was decided, and how uneven it becomes", [changed, uneven])


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "modes":
        draw_modes(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    elif len(sys.argv) == 4 and sys.argv[1] == "drift":
        draw_drift(*sys.argv[2:])
    else:
        sys.exit(__doc__)


main()
