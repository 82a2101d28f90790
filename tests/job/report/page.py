#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A page of skein report in a browser: every chart is drawn, in the right colours, tooltips and zoom work.

  page.py SKEIN NAMED_TRACE
"""
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

import inputs
from browser import OPTIONS, available, browser

# Of viridis (S. van der Walt, N. Smith), every 64th of 256 colours and the last, after matplotlib.
VIRIDIS = {0: (68, 1, 84), 64: (59, 82, 139), 128: (33, 145, 140), 192: (94, 201, 98), 255: (253, 231, 37)}
# The colours for kinds on a light page, after M. Okabe and K. Ito.
KINDS = [(0, 114, 178), (213, 94, 0), (0, 158, 115)]
BEYOND = (213, 94, 0)  # values beyond a scale
PES, INTERVALS = 4, 6


def load(interval, pe):
    """PE 3 has the most, 1 s, in interval 5; PE 0 nothing; half of the scale is PE 1, interval 0."""
    return {0: 0.0, 1: 0.5, 2: 0.25, 3: 1.0 if interval == 5 else 0.75}[pe]


def check(what, value):
    if not value:
        sys.exit(f"FAILED: {what}")


def pixel(page, chart, x, y):
    """Returns the colour at parts x, y of the chart's canvas."""
    return tuple(page.run("""
      const canvas = document.querySelector(arguments[0] + " canvas");
      return [...canvas.getContext("2d").getImageData(arguments[1] * canvas.width, arguments[2] * canvas.height, 1, 1)
        .data].slice(0, 3)""", chart, x, y))


def colours(page, chart):
    """Returns how many different colours a chart has; 1 means blank."""
    return page.run("""
      const canvas = document.querySelector(arguments[0] + " canvas");
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      return new Set(new Uint32Array(data.buffer)).size""", chart)


def see(page, chart):
    """Scrolls to the chart and waits until it is drawn."""
    page.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", chart)
    page.wait(f"document.querySelector('{chart} canvas').dataset.drawn")


@contextlib.contextmanager
def redrawn(page, chart):
    """Waits until the actions inside have been drawn."""
    drawn = f"Number(document.querySelector('{chart} canvas').dataset.drawn)"
    before = page.run(f"return {drawn}")
    yield
    page.wait(f"{drawn} > {before}")


def choose(page, select, value):
    page.run("""const select = document.querySelector(arguments[0]); select.value = arguments[1];
                select.dispatchEvent(new Event('change'))""", select, value)


def near(a, b):
    return all(abs(x - y) <= 6 for x, y in zip(a, b))


def check_tooltip(page, what, *parts):
    """Checks that the tooltip soon has all `parts`, regular expressions: a busy browser shows the one before for a while."""
    told = "(t => t.hidden ? '' : t.textContent)(document.getElementById('tooltip'))"
    try:
        page.wait(" && ".join(f"new RegExp({json.dumps(part)}).test({told})" for part in parts))
    except TimeoutError:
        check(f"the tooltip {what} says {page.run('return ' + told)!r}, not {parts}", False)


def ticks(page, chart):
    return page.run("return [...document.querySelectorAll(arguments[0] + ' svg .tick text')].map(t => t.textContent)", chart)


def check_heat_map(page):
    chart = "#heat-map .plane"
    see(page, chart)
    # Both maps have one scale, and the unbalanced loads are twice as large: 1 s is half of it.
    for interval, pe, at in ((0, 0, 0), (0, 1, 64), (5, 3, 128)):
        found = pixel(page, chart, (interval + 0.5) / INTERVALS, (pe + 0.5) / PES)
        check(f"PE {pe} in interval {interval} has the colour {found}, not {VIRIDIS[at]}", near(found, VIRIDIS[at]))
    with redrawn(page, chart):
        choose(page, "#heat-map select", "unbalanced")
    found = pixel(page, chart, 5.5 / INTERVALS, 3.5 / PES)
    check(f"the fullest PE unbalanced has the colour {found}", near(found, VIRIDIS[255]))
    with redrawn(page, chart):
        choose(page, "#heat-map select", "busy")

    canvas = page.find(chart + " canvas")
    page.act(("move", canvas, 20, -5))
    check_tooltip(page, "of the middle", "PE 1, interval 3", "computed 500 ms of 1 s")


def check_zoom(page):
    chart = "#heat-map .plane"
    canvas = page.find(chart + " canvas")
    all_ticks = ticks(page, chart)
    page.act(("move", canvas, 0, 0), ("down",), ("up",))  # a wheel over a chart in passing scrolls the page
    with redrawn(page, chart):
        page.act(("wheel", canvas, -400))
    check("the wheel did not zoom", ticks(page, chart) != all_ticks)
    page.keys(canvas, "0")
    page.wait(f"[...document.querySelectorAll('{chart} svg .tick text')].length === {len(all_ticks)}")
    check("0 does not show all again", ticks(page, chart) == all_ticks)
    page.keys(canvas, "+")
    page.wait(f"[...document.querySelectorAll('{chart} svg .tick text')].length !== {len(all_ticks)}")
    page.run("document.querySelectorAll('#heat-map .buttons button')[2].click()")
    page.wait(f"[...document.querySelectorAll('{chart} svg .tick text')].length === {len(all_ticks)}")
    # The tooltip follows the keyboard's cursor, for users who cannot point.
    page.keys(canvas, "\ue014")  # right
    check_tooltip(page, "of the cursor", "PE 2, interval 4")


def check_lines(page):
    for chart in ("#imbalance .plane", "#load .plane"):
        see(page, chart)
        check(f"{chart} is blank", colours(page, chart) > 2)
        check(f"{chart} has no axes", len(ticks(page, chart)) > 5)
    see(page, "#imbalance .plane")
    canvas = page.find("#imbalance canvas")
    page.act(("move", canvas, 0, 0))
    # (0.75 / ((0 + 0.5 + 0.25 + 0.75) / 4) - 1) x 100
    check_tooltip(page, "of the imbalance", "100 %")


def check_log(page):
    rows = page.run("return [...document.querySelectorAll('#log tbody tr')].map(r => r.innerText)")
    check(f"the log has {len(rows)} steps", len(rows) == INTERVALS - 1)
    for part in ("rotate", "1 rank, 5 kB", "100 % above the average; expected after: 50 %", "6 ms", "250 ms"):
        check(f"the first step does not tell {part!r}: {rows[0]!r}", part in rows[0])
    page.run("document.querySelector('#log tbody details').open = true")
    page.wait("document.querySelector('#log tbody pre')")
    told = page.run("return document.querySelector('#log tbody pre').textContent")
    check(f"of the first step's moves is told {told!r}", told == "rank 0: PE 0 → 1")


def check_places(page):
    see(page, "#places .plane")
    before, after = (pixel(page, "#places .plane", (k + 0.5) / INTERVALS, 0.5 / 8) for k in (0, 1))
    check("rank 0 has one colour before and after its move", not near(before, after))
    check("rank 1 and rank 0 have different colours on one PE",
          near(before, pixel(page, "#places .plane", 0.5 / INTERVALS, 1.5 / 8)))


def check_theme(page):
    background = "return getComputedStyle(document.body).backgroundColor"
    before = page.run(background)
    page.run("document.getElementById('theme').click()")
    check("the theme does not change", page.run(background) != before)


def check_accessible(page):
    nameless = page.run("""
      return [...document.querySelectorAll('canvas, button, select, section, [role=region]')].filter(e =>
        !e.getAttribute('aria-label') && !e.textContent.trim() && !e.labels?.length).map(e => e.outerHTML.slice(0, 80))""")
    check(f"without a name for screen readers: {nameless}", not nameless)


def check_simulation(page):
    """A real run and a simulation: side by side on one scale."""
    kinds = page.run("return [...document.querySelectorAll('#heat-map .kind')].map(k => k.textContent)")
    check(f"side by side are {kinds}", kinds == ["real run", "simulated"])
    see(page, "#heat-map .beside > :nth-child(2)")
    maps = "[...document.querySelectorAll('#heat-map canvas')].filter(c => c.dataset.drawn)"
    page.wait(f"{maps}.length === 2")
    left, right = page.run(f"return {maps}.map(c => c.getBoundingClientRect().left)")
    check("the maps are not side by side", right > left + 200)
    # The scale ends at the 2 s of the real run without moves: 1 s and a quarter are half and an eighth of it.
    for pe, at in ((0, VIRIDIS[128]), (1, (71, 44, 122))):
        found = pixel(page, "#heat-map .beside > :nth-child(2)", 0.5 / INTERVALS, (pe + 0.5) / 2)
        check(f"PE {pe} of the simulation has the colour {found}", near(found, at))
    choose(page, "#log select", "1")
    page.wait("document.querySelector('#log tbody tr').innerText.includes('500 ms')")  # 1.5 - 1
    text = page.run("return document.querySelector('#log tbody tr').innerText")
    check(f"the simulated step tells {text!r}", "60 % above the average" in text and "1 ms" in text)


def check_gain(page):
    """Checks a simulation that knows both makespans: 6 s, and 5.88 s without moves. 5.88 / 6 is 2 % less."""
    told = page.run("return [...document.querySelectorAll('#overview .told')].map(p => p.textContent)")
    check(f"the overview tells {told}", "With nobody moving 5.88 s, so that balancing loses 2.0 %." in told)
    check(f"the overview tells of computing alone, too: {told}", sum("fullest PE" in line for line in told) == 1)


def check_timeline(page):
    chart = "#timeline .plane"
    see(page, chart)
    # PE 1 computes the first quarter of each second, and waits.
    busy, waiting = (pixel(page, chart, (2 + part) / INTERVALS, 0.75) for part in (0.125, 0.6))
    check("bursts and waits look alike", not near(busy, waiting))
    check("a wait and a wait look different", near(waiting, pixel(page, chart, 4.6 / INTERVALS, 0.75)))
    canvas = page.find(chart + " canvas")
    page.act(("move", canvas, 30, 40))
    check_tooltip(page, "of a burst", "PE 1", "of rank 2: 250 ms")
    before = ticks(page, chart)
    with redrawn(page, chart):
        page.keys(canvas, "++++++")
    page.wait(f"document.querySelector('{chart} svg .tick text')")
    check("+ does not zoom into time", ticks(page, chart) != before)
    page.act(("move", canvas, 0, 41))
    check_tooltip(page, "after zooming in", r"PE 1 at (3|2\.9)")


def check_tuning(page):
    strategies = "return [...document.querySelectorAll('#tuning tbody td:first-child')].map(cell => cell.textContent)"
    check(f"the configurations are {page.run(strategies)}", page.run(strategies) == ["refine", "greedy", "none"])
    section = page.run("return document.querySelector('#tuning').innerText")
    for part in ("skein run -p 4 --lb refine", "2 more were given up", "1.75 s", "auto"):
        check(f"the tuning does not tell {part!r}", part in section)
    page.run("[...document.querySelectorAll('#tuning th button')].find(b => b.textContent.startsWith('PEs')).click()")
    check("a click on PEs does not sort by PEs", page.run(strategies)[0] == "none")


def check_tuning_charts(page):
    """Checks inputs.tuning(): refine takes 1.5 s and greedy 1.75 on 4 PEs, none 2.5 on 2; the scale ends at 2.5 * 1.06."""
    chart = "#tuning .plane"
    see(page, chart)
    found = lambda place, seconds: pixel(page, chart, place / 2, 1 - seconds / (2.5 * 1.06))
    # The points of three strategies, in the order of the rows, lie 0.2 of a place apart.
    refine, none = found(1.3, 1.5), found(0.7, 2.5)
    check(f"on the frontier are {refine} and {none}", near(refine, KINDS[0]) and near(none, KINDS[2]))
    check("what is not on it is filled, too", not near(found(1.5, 1.75), KINDS[1]))
    # The line from (0.7, 2.5) to (1.3, 1.5) is at 2 in its middle.
    check("there is no line of the frontier", any(not near(found(1, 2 + by / 100), found(0.1, 0.3)) for by in range(-2, 3)))
    page.run("Plane.all.find(p => p.root.node().closest('#tuning')).tell(...arguments)",
             *page.run("const p = Plane.all.find(p => p.root.node().closest('#tuning')), v = p.view(); return [v.x(1.3), v.y(1.5)]"))
    check_tooltip(page, "of a configuration", "^refine, period 5\n16 ranks on 4 PEs: 1.5 s\non the frontier$")


def check_slices(page):
    """Checks inputs.slices(), whose scale covers three orders of magnitude, from 1 to 1000."""
    density, owners = "#slices .beside > :nth-child(1) .plane", "#slices .beside > :nth-child(2) .plane"
    see(page, density)
    see(page, owners)
    told = lambda: page.run("return document.querySelector('#slices output').textContent")
    check(f"at first is told {told()!r}", told() == "2: 3 grids on 2 levels in this plane")
    # The coarse cells lie below: left 1, right 10; the fine ones above: 100, and 1000 in the upper one.
    found = [pixel(page, density, x, y) for x, y in ((0.1, 0.1), (0.9, 0.9), (0.45, 0.6), (0.45, 0.4))]
    wanted = [VIRIDIS[0], (49, 104, 142), (53, 183, 121), VIRIDIS[255]]  # viridis at 0, 85, 170 and 255
    check(f"densities have the colours {found}", all(map(near, found, wanted)))
    found = [pixel(page, owners, x, y) for x, y in ((0.1, 0.1), (0.9, 0.9), (0.45, 0.6))]
    check(f"PEs have the colours {found}", all(map(near, found, KINDS)))
    page.act(("move", page.find(density + " canvas"), -20, -20))
    check_tooltip(page, "of a cell", "density 1,?000", "level 1, 1 x 2 cells, on PE 2")
    with redrawn(page, density):
        page.run("""const slider = document.querySelector('#slices input'); slider.value = 0;
                    slider.dispatchEvent(new Event('input'))""")
    check(f"at time 0 is told {told()!r}", told() == "0: 2 grids on 1 level in this plane")
    found = pixel(page, density, 0.45, 0.4)
    check(f"before there are finer grids the colour is {found}", near(found, VIRIDIS[0]))
    page.run("document.querySelector('#slices button').click()")
    page.wait("document.querySelector('#slices output').textContent.startsWith('2:')")
    page.wait("document.querySelector('#slices button').textContent === 'Play'")


def check_steps_in_timeline(page):
    """The first LB step of the simulation is at 0.999 s, of 6."""
    chart = "#timeline .plane"
    see(page, chart)
    line, beside = (pixel(page, chart, at / INTERVALS, 0.9) for at in (0.999, 0.8))
    check(f"no LB step is marked: {line} as {beside}", not near(line, beside))
    page.run("const p = Plane.all.find(p => p.root.node().closest('#timeline')), v = p.view(); p.tell(v.x(0.9995), v.y(1.5))")
    check_tooltip(page, "of an LB step", "LB step 1, rotate: 1 rank moved in 1 ms")


def check_trace(page):
    chart = "#communication .plane"
    see(page, chart)
    yes, no = (pixel(page, chart, (to + 0.5) / 4, 0.5 / 4) for to in (1, 2))
    check(f"rank 0 sends to rank 1 in the colour {yes}", near(yes, VIRIDIS[255]))
    check(f"rank 0 sends nothing to rank 2, in the colour {no}", no == (0, 0, 0))
    page.act(("move", page.find(chart + " canvas"), -80, -200))  # column 1, row 0
    check_tooltip(page, "of ranks 0 and 1", "^rank 0 to rank 1\n10 kB in 10 messages$")
    see(page, "#timeline .plane")
    check("the timeline of a trace is blank", colours(page, "#timeline .plane") > 1)
    see(page, "#heat-map .plane")
    check("a trace has no axes on its heat map", len(ticks(page, "#heat-map .plane")) > 5)


def rows_of(page, table):
    return page.run("return [...document.querySelectorAll(arguments[0] + ' tr')].map(r => [...r.cells].map(c => c.textContent))",
                    table)


def check_lanes(page):
    """Checks named_trace.cpp: below the bursts, in the upper half of a row, are "step" and the regions inside it."""
    chart = "#timeline .plane"
    see(page, chart)
    step, solve, halo = KINDS
    at = lambda rank, ms, part: pixel(page, chart, (20 + ms) / 50, (rank + part) / 4)
    for rank in range(4):
        found = [at(rank, rank + 0.5, part) for part in (0.6, 0.85)], [at(rank, 4.5, part) for part in (0.6, 0.85)]
        check(f"rank {rank} is in regions of the colours {found}", found == ([step, solve], [step, halo]))
    check("a burst and a wait look alike", at(1, 1, 0.25) != at(1, 3, 0.25))
    legend = page.run("return document.querySelector('#timeline .legend').innerText.split(/\\s+/)")
    check(f"the legend has {legend}", legend == ["step", "solve", "halo"])
    canvas = page.find(chart + " canvas")
    width, height = page.run("const c = document.querySelector(arguments[0] + ' canvas'); return [c.clientWidth, c.clientHeight]", chart)
    there = lambda ms, rank: (round((ms / 50 - 0.5) * width), round(((rank + 0.5) / 4 - 0.5) * height))
    page.act(("move", canvas, *there(22, 3)))
    check_tooltip(page, "of a burst in regions", "^rank 3 at 22", "a burst: 4 ms", "PAPI_TOT_INS: 4 M, 1 G a second",
                  "in step: 5 ms\nin solve: 4 ms$")
    page.act(("move", canvas, *there(24, 0)))
    check_tooltip(page, "of a wait in regions", "waits for 4 ms\nMPI_Barrier\nin step: 5 ms\nin halo: 4 ms$")
    with redrawn(page, chart):
        choose(page, "#timeline select", "regions")
    check("regions alone do not fill the rows", [at(2, 2.7, part) for part in (0.25, 0.75)] == [step, solve])
    with redrawn(page, chart):
        page.keys(canvas, "+++")
    check("closer, step is not wider", all(at(2, ms, 0.25) == step for ms in (-10, 2, 14)))
    with redrawn(page, chart):
        page.keys(canvas, "0")
    # A thin row has room for one region only, the innermost. Rank 2 is in "solve" for 3 of 5 ms.
    with redrawn(page, chart):
        page.run("""const plane = Plane.all.find(p => p.root.node().matches(arguments[0]));
                    plane.total = 0; plane.options.height = 16; plane.resize()""", chart)
    colour = at(2, 1, 0.5)
    check(f"a thin row shows {colour}, not 'solve'", near(colour, solve))
    check(f"a thin row shows {at(2, 4, 0.5)}, not 'halo'", near(at(2, 4, 0.5), halo))


TEXT = (0x1b, 0x24, 0x30)  # --text of style.css


def text_pixels(page, chart):
    return page.run("""
      const canvas = document.querySelector(arguments[0] + " canvas"), [r, g, b] = arguments[1];
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      let count = 0;
      for (let i = 0; i < data.length; i += 4) count += data[i] === r && data[i + 1] === g && data[i + 2] === b;
      return count""", chart, TEXT)


def check_click(page, chart, told):
    """Checks that a click on a wait shows what ended it: in inputs.trace() one message, between two bursts; on a burst,
    nothing."""
    canvas, texts = page.find(chart + " canvas"), {}
    # A row has one colour for some pixels in a burst or a wait, however long these are; the longest first.
    places = page.run("""
      const canvas = document.querySelector(arguments[0] + " canvas"), ratio = canvas.width / canvas.clientWidth, y = canvas.height / 8;
      const row = new Uint32Array(canvas.getContext("2d").getImageData(0, y, canvas.width, 1).data.buffer), all = [];
      for (let from = 0, to = 0; from < row.length; from = to) {
        while (to < row.length && row[to] === row[from]) ++to;
        if (to - from > 3) all.push({length: to - from, colour: row[from], x: (from + to) / 2});
      }
      const at = new Map(), next = colour => { at.set(colour, (at.get(colour) ?? 0) + 1); return at.get(colour); };
      return all.sort((a, b) => b.length - a.length).map(run => [next(run.colour), run.x / ratio - canvas.clientWidth / 2])
        .sort((a, b) => a[0] - b[0]).map(([, x]) => Math.round(x))""", chart)
    height = page.run("return document.querySelector(arguments[0] + ' canvas').clientHeight", chart)
    for x in places[:60]:
        with redrawn(page, chart):
            page.act(("move", canvas, x, round(-0.375 * height)), ("down",), ("up",))
        text = page.run(f"return {told}")
        texts[text] = text_pixels(page, chart)
        if text == "" and "1 message ended the wait that was clicked on." in texts:
            break  # without a tooltip
    check(f"clicks tell {texts}", texts.get("1 message ended the wait that was clicked on.", 0) > 10 and texts.get("") == 0)
    # Two bursts, and known calls in the second gap: messages arrive at 10, which ends it, and at 12.
    waits = page.run("""
      const spans = (first, begin, length) => new Spans({first, begin, length, what: begin.map(() => 0)}, 1);
      const timeline = {bursts: spans([0, 2, 2], [0, 10], [4, 5]), waits: null}, called = {...timeline, waits: spans([0, 1, 1], [5], [3])};
      const at = (known, row, t) => { const wait = wait_at(known, row, t); return wait && [wait.from, wait.to]; };
      const arrows = {from: [1, 1, 1], to: [0, 0, 1], sent: [1, 2, 3], received: [10, 12, 10], order: [0, 1, 2]};
      return [at(timeline, 0, 6), at(called, 0, 6), at(called, 0, 9), at(timeline, 0, 2), at(timeline, 3, 2),
              [...arrows_into(arrows, 0, 4, 10).order]]""")
    check(f"waits are {waits}", waits == [[4, 10], [5, 8], [4, 10], None, None, [0]])


def check_messages(page):
    """Checks inputs.trace(): each of four ranks gets ten messages."""
    chart = "#timeline .plane"
    see(page, chart)
    told = "document.querySelector('#timeline .arrows').textContent"
    check("arrows are drawn that nobody asked for", page.run(f"return {told}") == "" and text_pixels(page, chart) == 0)
    check_click(page, chart, told)
    with redrawn(page, chart):
        choose(page, "#timeline select", "arrows")
    check(f"it tells {page.run(f'return {told}')!r}", page.run(f"return {told}") == "40 messages in view.")
    check("no arrow is drawn", text_pixels(page, chart) > 100)
    with redrawn(page, chart):
        page.keys(page.find(chart + " canvas"), "++++++")
    check("all messages are in a small part, too", int(page.run(f"return parseInt({told})")) < 40)
    with redrawn(page, chart):
        choose(page, "#timeline select", "none")
    check("arrows stay", text_pixels(page, chart) == 0)
    # 600 messages from row 0 to row 1 at 0 to 599, the later the longer waited for; 500 to 599 are out of view.
    shown, count = page.run("""
      const times = d3.range(600), all = n => times.map(() => n);
      const {shown, count} = arrows_in_view({from: all(0), to: all(1), sent: times, received: times.map(t => t + 0.5),
                                             order: d3.range(599, -1, -1)},
                                            {x: d3.scaleLinear([0, 499.75], [0, 1]), y: d3.scaleLinear([0, 2], [0, 1])}, 1);
      return [shown, count]""")
    check(f"of 500 in view {count} are counted and {len(shown)} drawn", count == 500 and shown == list(range(499, -1, -1)))
    count, last = page.run("""
      const times = d3.range(600), all = n => times.map(() => n);
      const {shown, count} = arrows_in_view({from: all(0), to: all(1), sent: times, received: times, order: d3.range(599, -1, -1)},
                                            {x: d3.scaleLinear([0, 600], [0, 1]), y: d3.scaleLinear([0, 2], [0, 1])}, 1);
      return [count, shown.length ? shown[shown.length - 1] : -1]""")
    check(f"of 600 in view those down to {last} are drawn", count == 600 and last == 100)


def check_path(page):
    """Checks named_trace.cpp: rank 3 computes 4 of 5 ms, and then no rank waits for another, except in the barrier."""
    rows = rows_of(page, "#critical-path .table")
    check(f"the critical path is {rows}", rows == [
        ["on the path", "time", "part", "if 2 times as fast, at best"], ["computing", "40 ms", "80 %", "30 ms"],
        ["collectives, reductions", "10 ms", "20 %", "45 ms"], ["in solve", "40 ms", "80 %", "30 ms"],
        ["of rank 3", "40 ms", "80 %", "30 ms"]])
    choose(page, "#critical-path select", "4")
    rows = rows_of(page, "#critical-path .table")
    check(f"four times as fast it is {rows}", [row[3] for row in rows] == ["if 4 times as fast, at best", "20 ms", "42.5 ms", "20 ms", "20 ms"])
    chart = "#timeline .plane"
    see(page, chart)
    found = lambda: pixel(page, chart, 2.5 / 50, 3.5 / 4)
    before = found()
    with redrawn(page, chart):
        choose(page, "#timeline label:last-child select", "path")
    check(f"rank 3 has no line but {found()}", near(found(), TEXT) and not near(before, TEXT))
    check("rank 2 is on the path, too", not near(pixel(page, chart, 2.5 / 50, 2.5 / 4), TEXT))
    with redrawn(page, chart):
        choose(page, "#timeline label:last-child select", "none")


def check_simulated_path(page):
    rows = rows_of(page, "#critical-path .table")
    check(f"the simulated path is {rows}", rows[1:] == [
        ["computing", "4.5 s", "75 %", "3.75 s"], ["messages", "1.5 s", "25 %", "5.25 s"], ["in A::step", "3 s", "50 %", "4.5 s"],
        ["in no region", "1.5 s", "25 %", "5.25 s"], ["of rank 2", "4.5 s", "75 %", "3.75 s"]])
    told = page.run("return document.querySelector('#critical-path .told').textContent")
    check(f"what if is told as {told!r}", told == "Played with A::step 2 times as fast: 4.8 s, -20 %.")


def check_regions(page):
    rows = rows_of(page, "#regions .table")
    check(f"the table of regions is {rows}", [row[:5] for row in rows[1:]] == [
        ["step", "40", "4", "100 ms", "100 ms"], ["solve", "40", "4", "100 ms", "0 s"], ["halo", "40", "4", "0 s", "100 ms"]])
    # (4 / 2.5 - 1) x 100
    check(f"the table tells of solve: {rows[2]}", rows[2][5:] == ["25 ms", "40 ms (rank 3)", "10 ms (rank 0)", "60 %"])
    chart = "#regions .plane"
    see(page, chart)
    for rank, row, level in ((3, 1, 255), (1, 1, 128), (0, 1, 64), (3, 2, 0)):
        found = pixel(page, chart, (rank + 0.5) / 4, (row + 0.5) / 3)
        check(f"rank {rank} in region {row} has the colour {found}", near(found, VIRIDIS[level]))
    check("not every region has its name at the axis", {"step", "solve", "halo"} <= set(ticks(page, chart)))
    with redrawn(page, chart):
        choose(page, "#regions select", "call")
    check("rank 0 is not the brightest where it waits", near(pixel(page, chart, 0.1, 0.85), VIRIDIS[255]))
    page.act(("move", page.find(chart + " canvas"), 10, 0))  # column 2, row 1
    check_tooltip(page, "of rank 2", "^rank 2 in solve\ncomputed 30 ms, 0 s in calls\n\\+20 % against the average$")
    page.run("document.querySelector('#regions details').open = true")
    page.wait("document.querySelector('#regions details td')")
    rows = rows_of(page, "#regions details")
    check(f"the times of each are {rows}", rows[0] == ["rank", "step", "solve", "halo"] and rows[2] == ["1", "30 ms", "0 s", "30 ms"])


def check_counters(page):
    chart = "#counters .plane"
    see(page, chart)
    # PE 0: 4 M in 3 ms; PE 1: 10 M in 7 ms; after the last sync point no rank computes.
    low, high = (pixel(page, chart, 0.5 / 11, (pe + 0.5) / 2) for pe in (0, 1))
    check(f"the PEs have the colours {low}, {high}", near(low, VIRIDIS[0]) and near(high, VIRIDIS[255]))
    check("an interval without computing has a colour", not near(pixel(page, chart, 10.5 / 11, 0.25), low))
    told = page.run("return document.querySelector('#counters .told').textContent")
    check(f"the sum is told as {told!r}", told == "PAPI_TOT_INS: 140 M in 100 ms of computing, 1.4 G a second")
    page.act(("move", page.find(chart + " canvas"), 0, -10))
    check_tooltip(page, "of a rate", "^PE 0, interval 5\nPAPI_TOT_INS: 1.33 G a second$")
    each = "#counters .plane:last-of-type"
    see(page, each)
    canvas = page.find(each + " canvas")
    page.act(("move", canvas, 20, 20))
    check_tooltip(page, "of rank 2", "^rank 2\nPAPI_TOT_INS: 60 M in 30 ms of computing\n2 G a second$")
    low, high = (pixel(page, each, (rank + 0.5) / 4, 0.25) for rank in (1, 2))
    check(f"the bars of ranks 1 and 2 have the colours {low}, {high} at 1.5 G", high == KINDS[0] != low)


def check_drift(page):
    """Checks decisions that came late, at 1 to 5 s, in a plane from -10 % to 75 %, with a margin at both ends."""
    chart = "#drift .plane"
    see(page, chart)
    top, bottom = 75 * 1.06, -10 * 1.06
    at = lambda percent: (top - percent) / (top - bottom)
    background = pixel(page, chart, 0.5 / INTERVALS, at(50))
    for step, percent in ((1, 0), (3, 20), (2, -10), (4, 75)):
        check(f"no mark at {step} s and {percent} %", not near(pixel(page, chart, step / INTERVALS, at(percent)), background))
    check("a mark stands where nothing was", near(pixel(page, chart, 4 / INTERVALS, at(50)), background))
    page.act(("move", page.find(chart + " canvas"), 0, 0))
    check_tooltip(page, "of the third decision", "decided 3 sync points before, in 125 ms, while all went on",
                  "20 % of the loads have changed", "75 % of the objects have another load", "-10 % more work|−10 % more work")
    rows = page.run("return [...document.querySelectorAll('#log tbody tr')].map(r => r.innerText)")
    check(f"the log tells {rows}", "decided 1 sync point before" in rows[0] and "dropped" not in rows[0])
    check(f"the last decision is told as {rows[-1]!r}", "dropped, since it would have made it worse" in rows[-1])


def outlying(interval, pe):
    """First touch in interval 0, and a short and uneven last interval; in between at most 1 s, 60 % above the average."""
    return {0: 4.0 if pe == 0 else 0.5, INTERVALS - 1: 0.001 if pe == 0 else 0.0}.get(interval, 1.0 if pe == 0 else 0.5)


def check_scales(page):
    """Checks that values beyond those of intervals with weight are marked, and do not make the others dark or flat."""
    chart = "#heat-map .plane"
    see(page, chart)
    scale = page.run("return [...document.querySelectorAll('#heat-map .scale span')].map(s => s.textContent)")
    # Without moves it would be twice as much.
    check(f"the scale says {scale}", scale[:2] == ["0 s", "2 s"] and scale[-1].startswith("beyond the scale: up to 8 s"))
    for interval, pe, colour in ((0, 0, BEYOND), (1, 0, VIRIDIS[128]), (1, 1, VIRIDIS[64])):
        found = pixel(page, chart, (interval + 0.5) / INTERVALS, (pe + 0.5) / PES)
        check(f"PE {pe} in interval {interval} has the colour {found}, not {colour}", near(found, colour))
    chart = "#imbalance .plane"
    see(page, chart)
    highest = max(float(tick) for tick in ticks(page, chart)[-12:] if tick.isdigit())
    check(f"the scale of imbalance goes to {highest} %", highest <= 70)
    canvas = page.run("const c = document.querySelector(arguments[0] + ' canvas'); return [c.clientWidth, c.clientHeight]", chart)
    # The middle of the last interval, at 5 to 5.01 s; 300 % there.
    found = pixel(page, chart, 5.005 / 5.01 - 0.0005, 3 / canvas[1])
    check(f"what is beyond is not marked, but {found}", near(found, BEYOND))
    told = page.run("return document.querySelector('#imbalance').innerText")
    check(f"the chart does not tell of 300 %: {told!r}", "up to 300 %" in told)


def check_without_scrolling(page):
    """Checks that all charts are drawn for printing the page or for a picture of all of it, without scrolling."""
    page.run("scrollTo(0, 0)")
    blank = "[...document.querySelectorAll('.plane canvas')].filter(c => !c.dataset.drawn).length"
    page.wait(f"{blank} === 0")
    drawn = page.run("""
      const sum = () => d3.sum(document.querySelectorAll('.plane canvas'), c => Number(c.dataset.drawn)), before = sum();
      Plane.all.forEach(plane => { plane.stale = true; });
      dispatchEvent(new Event('beforeprint'));
      return [sum() - before, Plane.all.length]""")
    check(f"for printing {drawn[0]} of {drawn[1]} charts were drawn", drawn[0] == drawn[1] >= 4)


def images_of(pdf):
    """Returns the pictures of Chromium's PDF, as their pixels' colours, without scales. Charts drawn by lines are no
    pictures."""
    for head, rest in re.findall(rb"<<([^<>]*/Subtype /Image[^<>]*)>> stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        if b"/FlateDecode" in head and b"/DeviceGray" not in head and b"/Height 12\n" not in head:
            pixels = zlib.decompressobj().decompress(rest)
            yield {pixels[i:i + 3] for i in range(0, len(pixels) - 2, 3)}


def check_printed(page, path):
    """Checks printing by a browser that waits until the page is loaded, and for nothing else."""
    page.open(path)
    undrawn = page.run("return Plane.all.filter(plane => plane.visible && plane.stale).length")
    check(f"of a page that is loaded {undrawn} charts in view are not drawn",
          undrawn == 0 and page.run("return document.documentElement.dataset.ready === 'yes'"))
    pdf = path + ".pdf"
    subprocess.run([shutil.which("chromium"), *OPTIONS, f"--user-data-dir={path}.profile", "--window-size=1600,1000",
                    f"--print-to-pdf={pdf}", f"file://{path}"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(pdf, "rb") as file:
        drawn = sum(len(colours_of) > 1 for colours_of in images_of(file.read()))
    # The first chart, the heat map, and the last, the rates of counters, are among them.
    check(f"of the four charts that are pictures {drawn} are printed", drawn == 4)
    # Charts wider than A4 and Letter would be cut.
    wide = page.run("""dispatchEvent(new Event('beforeprint'));
      const widest = d3.max(document.querySelectorAll('.plane'), p => p.getBoundingClientRect().right);
      dispatchEvent(new Event('afterprint'));
      return widest""")
    check(f"charts are printed up to {wide} pixels, and paper has 718", wide <= 718)


def check_time_scales(page):
    """Checks two runs, one of 6 s and one of 3: points above each other are at one time."""
    for section in ("heat-map", "timeline"):
        if page.run(f"return !document.querySelector('#{section}')"):
            continue
        domains = page.run("""return Plane.all.filter(p => p.root.node().closest('#' + arguments[0])).map(p => p.options.x.domain)""", section)
        check(f"the time scales of {section} are {domains}", domains == [[0, 6], [0, 6]])
    see(page, "#heat-map .beside > :nth-child(2)")
    page.wait("[...document.querySelectorAll('#heat-map canvas')].filter(c => c.dataset.drawn).length === 2")
    ended = pixel(page, "#heat-map .beside > :nth-child(2)", 0.75, 0.25)
    check(f"behind the shorter run's end the colour is {ended}", near(ended, (0xec, 0xe7, 0xf0)))
    choose(page, "#heat-map label:last-child select", "intervals")
    domains = page.run("return Plane.all.filter(p => p.root.node().closest('#heat-map')).map(p => p.options.x.domain)")
    check(f"across intervals they are {domains}", domains == [[0, 6], [0, 3]])


def check_silent(page):
    outside = page.run("return performance.getEntriesByType('resource').map(e => e.name)")
    check(f"the page fetches {outside}", not [name for name in outside if not name.startswith("data:")])
    console = page.console()
    check(f"the console says {console}", not console)


def main():
    skein = sys.argv[1]
    if not available():
        print("chromium and chromedriver are not here")
        sys.exit(77)
    functions = {name: f for name, f in globals().items() if name.startswith("check_") or name == "main"}
    forgotten = set(functions) - {"main"}.union(*(f.__code__.co_names for f in functions.values()))
    check(f"nobody calls {sorted(forgotten)}", not forgotten)
    with tempfile.TemporaryDirectory() as folder:
        def drawn(*files):
            path = os.path.join(folder, "page.html")
            subprocess.run([skein, "report", *files, "-o", path], check=True, stdout=subprocess.DEVNULL)
            page.open(path)
            page.wait("document.documentElement.dataset.ready")

        real = inputs.run_report(os.path.join(folder, "real.json"), PES, INTERVALS, load=load)
        with browser() as page:
            drawn(real)
            for look in (check_heat_map, check_zoom, check_lines, check_log, check_places, check_theme, check_accessible,
                         check_silent):
                look(page)
            drawn(real, inputs.simulation(os.path.join(folder, "simulated.json"), intervals=INTERVALS, makespan_unmoved_s=5.88),
                  inputs.tuning(os.path.join(folder, "tuning.json")))
            for look in (check_gain, check_simulation, check_steps_in_timeline, check_timeline, check_tuning, check_tuning_charts, check_accessible, check_silent):
                look(page)
            check("a run without late decisions has a chart of drift", not page.run("return document.querySelector('#drift')"))
            drawn(inputs.slices(os.path.join(folder, "slices.json")))
            for look in (check_slices, check_accessible, check_silent):
                look(page)
            drawn(inputs.run_report(os.path.join(folder, "lazy.json"), PES, INTERVALS, load=load, lazy=True))
            for look in (check_drift, check_accessible, check_silent):
                look(page)
            drawn(inputs.run_report(os.path.join(folder, "outlying.json"), PES, INTERVALS, load=outlying, last=0.01))
            for look in (check_without_scrolling, check_scales, check_silent):
                look(page)
            drawn(inputs.simulation(os.path.join(folder, "long.json"), intervals=6),
                  inputs.simulation(os.path.join(folder, "short.json"), intervals=3))
            check("runs without a path have one", not page.run("return document.querySelector('#critical-path')"))
            for look in (check_time_scales, check_without_scrolling, check_silent):
                look(page)
            drawn(inputs.simulation(os.path.join(folder, "path.json"), what_if=[{"what": "A::step", "factor": 2, "makespan_s": 4.8}],
                                    critical_path=inputs.path_of(4.5, transfer_s=1.5, handed_on=1, compute_of_ranks_s=[[2, 4.5]],
                                                                 compute_of_regions_s=[["A::step", 3.0], ["", 1.5]])))
            for look in (check_simulated_path, check_accessible, check_silent):
                look(page)
            drawn(inputs.trace(skein, folder))
            for look in (check_trace, check_messages, check_silent):
                look(page)
            check("a trace without names has a table of regions", not page.run("return document.querySelector('#regions, #counters')"))
            named = os.path.join(folder, "named.sktrace")
            subprocess.run([sys.argv[2], named], check=True)
            drawn(named)
            for look in (check_path, check_lanes, check_regions, check_counters, check_accessible, check_silent):
                look(page)
            check_printed(page, os.path.join(folder, "page.html"))


main()
