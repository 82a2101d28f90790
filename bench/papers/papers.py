#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the five papers that Skein follows, and compares figure by figure.

  run.sh [--small] [--again] [--others PERCENT] [--build BUILD] [--work FOLDER] [PAPER [PART...]]
  run.sh --page | --check

Without a paper: all of them. A part prints tables with the paper's figures (theirs) beside Skein's (ours). Results are
kept in the work folder and not measured again, so that a run that was stopped can be continued; --again measures
anew. A run at full size writes results.json, and from it the tables of docs/papers.md. --small takes tiny sizes through the
same code, in seconds, anew each time, and writes neither.
"""
import argparse
import importlib
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from frame import page, results
from frame.bench import ROOT, Bench, fail

PAPERS = ["pearce", "mpmd", "bhatele", "keller_tesser", "lan"]


def load(name):
    return importlib.import_module(name).PAPER


def play(bench, paper, parts):
    found = {}
    for name in parts:
        began = time.monotonic()
        kept = bench.kept(paper.name, name)
        print(f"== {paper.name} {name}" + (" (kept from before)" if kept is not None else ""), flush=True)
        found[name] = kept if kept is not None else bench.keep(paper.name, name, paper.parts[name](bench))
        print(f"[{time.monotonic() - began:.0f} s]\n", file=sys.stderr, flush=True)
    return found


def chosen_parts(paper, names):
    unknown = [name for name in names if name not in paper.parts]
    if unknown:
        fail(f"{paper.name} has no part {unknown[0]}: its parts are {', '.join(paper.parts)}")
    return names or list(paper.parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="tiny sizes, for tests")
    parser.add_argument("--again", action="store_true", help="measure what is kept from before anew")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="the build folder (build)")
    parser.add_argument("--work", help="where traces and what parts found are kept (papers in the build folder)")
    parser.add_argument("--others", type=float, default=10, metavar="PERCENT",
                        help="the share of the processors that others may have while a program is recorded; where they have more the "
                             "recording is refused (10; --small takes any)")
    parser.add_argument("--page", action="store_true", help="write the tables of docs/papers.md from results.json")
    parser.add_argument("--check", action="store_true", help="whether docs/papers.md is what --page writes, and names what exists")
    parser.add_argument("paper", nargs="?", choices=PAPERS)
    parser.add_argument("part", nargs="*")
    options = parser.parse_args()
    if options.check:
        return page.check([load(name) for name in PAPERS], results.read())
    if not options.page:
        for name in [options.paper] if options.paper else PAPERS:
            paper = load(name)
            bench = Bench(options, paper.name)
            found = play(bench, paper, chosen_parts(paper, options.part))
            if not options.small:
                results.write(paper.name, found)
    if not options.small:
        page.write([load(name) for name in PAPERS], results.read())
    return 0


sys.exit(main())
