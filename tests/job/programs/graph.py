#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Messages are logged where something looks at the communication graph, and there collectives as collectives.

  graph.py SKEIN EVERYBODY
"""
import json
import os
import re
import subprocess
import sys
import tempfile

RANKS, PIECE, NUMBERS = 64, 512, 1024  # as in everybody.c
PARTNERS = 32  # the most that a rank's part of such a collective is logged with: runtime/load/all_pairs.hpp
EDGES = [RANKS * PARTNERS, RANKS * 2, RANKS * PARTNERS]
BYTES = [RANKS * (RANKS - 1) * PIECE, RANKS * 2 * PIECE, RANKS * (RANKS - 1) * NUMBERS * 8]
MESSAGES = [RANKS * (RANKS - 1), RANKS * 2, RANKS * (RANKS - 1)]


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got}, not {wanted}")


def expect_about(what, got):
    """Compares with a run with --verbose, which adds messages up and down a tree of the ranks to compare collectives."""
    if len(got) != len(EDGES) or not all(want <= have <= want + 2 * (RANKS - 1) for have, want in zip(got, EDGES)):
        sys.exit(f"{what}: {got}, not {EDGES} and those of a tree")


def edges(skein, program, *options):
    """Returns the edges of the snapshots of a run with these options."""
    run = subprocess.run([skein, "run", "--verbose", "-p", "2", "-n", str(RANKS), "--lb-period", "1", *options, program],
                         capture_output=True, text=True, timeout=60)
    if run.returncode != 0:
        sys.exit(f"{options}: exit status {run.returncode}\n{run.stdout}\n{run.stderr}")
    return [int(count) for count in re.findall(rf"LB snapshot: {RANKS} objects, (\d+) edges$", run.stderr, re.MULTILINE)]


def main():
    skein, program = sys.argv[1:]
    for strategy in ("greedy", "hierarchical"):
        expect(f"edges under {strategy}", edges(skein, program, "--lb", strategy), [0, 0, 0])
    for strategy in ("refine-comm", "hierarchical:pe=refine-comm", "diffusion:graph=comm", "auto"):
        # A load model looks at all objects, so distributed strategies get a snapshot, too.
        expect_about(f"edges under {strategy}",
                     edges(skein, program, "--lb", strategy, "--lb-model", "average:n=2"))
    with tempfile.TemporaryDirectory() as folder:
        dump = os.path.join(folder, "dump.json")
        subprocess.run([skein, "run", "-q", "-p", "2", "-n", str(RANKS), "--lb", "greedy", "--lb-period", "1",
                        "--lb-dump", dump, program], check=True, timeout=60)
        with open(dump, encoding="utf-8") as file:
            phases = json.load(file)["phases"]
    sent = [phase["communications"] for phase in phases]
    expect("edges in the dump", [len(each) for each in sent], EDGES)
    expect("messages in the dump", [sum(edge["messages"] for edge in each) for each in sent], MESSAGES)
    expect("bytes in the dump", [sum(edge["bytes"] for edge in each) for each in sent], BYTES)


main()
