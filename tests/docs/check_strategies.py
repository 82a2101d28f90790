#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether docs/strategies.md has a row in its table and a section for every strategy of lb/table.cpp, in its words, and
none for others.

  check_strategies.py REPOSITORY
"""
import os
import re
import sys


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def differences(where, have, want):
    return [f"docs/strategies.md has no {where} for '{name}'" for name in sorted(want - have)] + \
           [f"docs/strategies.md has a {where} for '{name}', which is not in lb/table.cpp" for name in sorted(have - want)]


def main():
    root = sys.argv[1]
    known = re.findall(r'^  X\(\w+, *"([\w-]+)",', read(root, "lb/table.cpp"), re.MULTILINE)
    page = read(root, "docs/strategies.md")
    table = page.split("| | looks at |", 1)[1].split("\n\n", 1)[0]
    rows = re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)
    # Sections of strategies have their lower-case names.
    sections = re.findall(r"^## ([a-z][a-z-]*)$", page, re.MULTILINE)
    problems = differences("row", set(rows), set(known)) + differences("section", set(sections), set(known))
    problems += [f"docs/strategies.md tells of '{name}' twice" for name in set(rows)
                 if rows.count(name) > 1 or sections.count(name) > 1]
    if len(known) < 10:
        problems.append(f"lb/table.cpp has only {len(known)} strategies: is it still read rightly?")
    print("\n".join(problems) or f"{len(known)} strategies have their row and section")
    sys.exit(bool(problems))


main()
