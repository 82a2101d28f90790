#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports the largest knot of each folder, and fails where one is too large.

A unit is a header and the source file of its name; it uses the units whose headers either includes. A knot is a set of
units of a folder (runtime/NAME, lb/NAME, ...) of which each uses each other, perhaps through others: whoever reads one has
to read all."""

import collections
import os
import re
import subprocess
import sys

LARGEST = 15
# Knots that are larger still, which may only shrink.
KNOWN = {}


def unit(path):
    return os.path.splitext(path)[0]


def read_units():
    """What each unit uses, by unit."""
    listed = subprocess.run(["git", "ls-files", "runtime", "lb", "include/skein"], capture_output=True, text=True, check=True)
    files = {path for path in listed.stdout.split() if path.endswith((".hpp", ".cpp", ".h", ".c"))}
    uses = {unit(path): set() for path in files}
    for path in files:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for included in re.findall(r'^\s*#\s*include\s*["<]([^">]+)', text, re.MULTILINE):
            for at in (included, "include/" + included, os.path.normpath(os.path.join(os.path.dirname(path), included))):
                if at in files:
                    uses[unit(path)].add(unit(at))
    return uses


def largest_knot(uses, units):
    """R. Tarjan, SIAM J. Comput. 1, 146 (1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(one):
        number[one] = low[one] = len(number)
        stack.append(one)
        for used in uses[one] & units:
            if used not in number:
                visit(used)
            if used in stack:
                low[one] = min(low[one], low[used])
        if low[one] == number[one]:
            at = stack.index(one)
            found.append(stack[at:])
            del stack[at:]

    for one in sorted(units):
        if one not in number:
            visit(one)
    return max(found, key=len)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sys.setrecursionlimit(10_000)
    uses = read_units()
    folders = collections.defaultdict(set)
    for one in uses:
        folders["/".join(one.split("/")[:2])].add(one)
    failed = False
    for folder, units in sorted(folders.items()):
        knot = largest_knot(uses, units)
        bound = KNOWN.get(folder, LARGEST)
        if len(knot) > 1:
            print(f"{folder}: {len(knot)} of {len(units)} units are a knot (at most {bound})")
        if len(knot) > bound:
            failed = True
            print(f"  {', '.join(sorted(os.path.basename(one) for one in knot))}\n"
                  "  Cut it: let one of them take what it needs as an argument, or move what two share to a file below both.")
        elif folder in KNOWN and len(knot) < bound:
            failed = True
            print(f"  it has shrunk: write {len(knot)} for {bound} in tests/knots.py")
    return int(failed)


sys.exit(main())
