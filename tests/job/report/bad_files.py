#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The messages of skein report about files that it cannot draw, and about runs that do not compare.

  bad_files.py SKEIN
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import inputs


def main():
    skein = sys.argv[1]
    folder = tempfile.mkdtemp()
    good = inputs.run_report(os.path.join(folder, "good.json"))
    with open(good, encoding="utf-8") as file:
        lines = file.readlines()

    def written(name, text):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def changed(line, change):
        """Returns the good report with one line changed."""
        value = json.loads(lines[line])
        change(value)
        return written("changed.json", "".join([*lines[:line], json.dumps(value) + "\n", *lines[line + 1:]]))

    def report(*files, page=os.path.join(folder, "page.html")):
        return subprocess.run([skein, "report", *files, "-o", page], capture_output=True, text=True)

    def refused(pattern, *files, **options):
        done = report(*files, **options)
        if done.returncode == 0 or not re.search(pattern, done.stderr):
            sys.exit(f"expected an error like {pattern!r}, got status {done.returncode}:\n{done.stderr}")

    refused("/nosuch.json: cannot be read: No such file", "/nosuch.json")
    refused("empty.json: is empty; it should be a report of", written("empty.json", ""))
    refused("text.txt: ", written("text.txt", "hello, this is no trace\n" * 20))
    refused("cut.json: is no JSON, or damaged, or cut off", written("cut.json", '{"makespan_s": 1, "pes": '))
    refused("other.json: is JSON of something else; it should be", written("other.json", '{"phases": []}'))
    refused("begins.json: line 1: stands before the line of the job", written("begins.json", "".join(lines[1:])))
    refused("twice.json: line 8: stands behind the line of the end|is the second one: two runs",
            written("twice.json", "".join(lines * 2)))
    refused("damaged.json: line 3: is no JSON", written("damaged.json", "".join([*lines[:2], lines[2][:40] + "\n", *lines[3:]])))
    refused("line 1, job: is of version 7 of the report, this Skein knows 1; use the skein that wrote it",
            changed(0, lambda line: line["job"].update(version=7)))
    refused("line 2, busy_s: has 3 numbers for 4 PEs", changed(1, lambda line: line["busy_s"].pop()))
    refused(r"line 2, busy_s\[1\]: is -1.0+, and below 0", changed(1, lambda line: line["busy_s"].__setitem__(1, -1)))
    refused("line 3: has no member 'move_s'", changed(2, lambda line: line.pop("move_s")))
    refused(r"line 3, moves\[0\]\[2\]: is 9, and above 3", changed(2, lambda line: line["moves"][0].__setitem__(2, 9)))
    refused("nothing.json: holds no interval", written("nothing.json", lines[0]))
    slices = inputs.slices(os.path.join(folder, "slices.json"))
    with open(slices, encoding="utf-8") as file:
        slice_lines = file.readlines()

    def other_slices(line, change):
        value = json.loads(slice_lines[line])
        change(value)
        text = json.dumps(value, separators=(",", ":")) + "\n"
        return written("slices.json", "".join([*slice_lines[:line], text, *slice_lines[line + 1:]]))

    refused("slices.json: has no slice", written("slices.json", slice_lines[0]))
    refused("slices.json, line 2: is no JSON", written("slices.json", "".join([slice_lines[0], "{\n", *slice_lines[2:]])))
    refused("line 1: has no member 'quantity'", other_slices(0, lambda line: line.pop("quantity")))
    refused("line 1, x: does not rise", other_slices(0, lambda line: line.update(x=[1, 1])))
    refused("line 1, pes: is 0", other_slices(0, lambda line: line.update(pes=0)))
    refused("line 3, time: is before that of the line before", other_slices(2, lambda line: line.update(time=-1)))
    for name, value, said in (("pe", 3, "is 3, and above 2"), ("box", [0, 0, 0, 1], "has its upper corner first"),
                              ("cells", [2, 0], "is 0"), ("cells", [2, 3], "has 4 numbers for 2 x 3 cells"),
                              ("level", -1, "is no natural number"), ("values", ["1"] * 4, "is no number")):
        refused(rf"line 2, grids\[1\].*{said}", other_slices(1, lambda line: line["grids"][1].update({name: value})))
    done = report(written("slices.json", "".join(slice_lines)[:-30]))
    with open(os.path.join(folder, "page.html"), encoding="utf-8") as file:
        page = file.read()
    if done.returncode != 0 or "line 4 is cut off: the program was killed, or still writes" not in page:
        sys.exit(f"slices that are cut off cannot be drawn, or nothing is said:\n{done.stderr}")

    refused("/nosuch/page.html: cannot be written: No such file", good, page="/nosuch/page.html")
    refused("usage|FILE")

    # A run that was killed left its report up to then, and half a line.
    killed = written("killed.json", "".join(lines[:4]) + lines[4][:30])
    done = report(killed)
    with open(os.path.join(folder, "page.html"), encoding="utf-8") as file:
        page = file.read()
    if done.returncode != 0 or "the run was killed, or goes on" not in page:
        sys.exit(f"a killed run cannot be drawn, or nothing is said:\n{done.stderr}")

    # A run with another number of ranks is drawn, with a warning.
    other = inputs.run_report(os.path.join(folder, "other.json"), ranks=16)
    done = report(good, other)
    if done.returncode != 0 or "good.json has 8 ranks, " not in done.stderr or "/other.json has 16" not in done.stderr:
        sys.exit(f"two jobs of different sizes, and no word of it:\n{done.stderr}")

    # Another program.
    value = json.loads(lines[0])
    value["job"]["program"] = "./one"
    one = written("one.json", json.dumps(value) + "\n" + "".join(lines[1:]))
    value["job"]["program"] = "./two 3"
    two = written("two.json", json.dumps(value) + "\n" + "".join(lines[1:]))
    done = report(one, two)
    if done.returncode != 0 or not re.search("one.json is of './one', .*two.json of './two 3'", done.stderr):
        sys.exit(f"two programs, and no word of it:\n{done.stderr}")

    # A trace that is cut off is drawn up to there, with a warning; a damaged one is refused.
    whole = inputs.trace(skein, folder)
    with open(whole, "rb") as file:
        data = file.read()
    for name, content in (("cut.sktrace", data[:len(data) * 2 // 3]), ("newer.sktrace", data[:8] + b"\x63" + data[9:])):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    done = report(os.path.join(folder, "cut.sktrace"))
    with open(os.path.join(folder, "page.html"), encoding="utf-8") as file:
        page = file.read()
    if done.returncode != 0 or "The trace has no end" not in page:
        sys.exit(f"a trace that is cut off cannot be drawn, or nothing is said:\n{done.stderr}")
    refused("newer.sktrace", os.path.join(folder, "newer.sktrace"))


main()
