# SPDX-License-Identifier: Apache-2.0
"""recorded.py SKEIN TRACE_TEXT PROGRAM WORK: the trace of tests/programs/recorded.c agrees with recorded.txt, wherever ranks
are and however they move."""
import pathlib
import sys

import told

rounds = 2
lines = (pathlib.Path(__file__).parent / "recorded.txt").read_text().splitlines()


def expected(me):
    """Returns the lines of one rank: lines that begin with a number belong to that rank alone."""
    of_round = []
    for line in lines:
        if line[0].isdigit():
            if int(line[0]) != me:
                continue
            line = line[3:]
        of_round.append(line.format(me=me, left=(me + 2) % 3, right=(me + 1) % 3))
    return [f"object {me}"] + rounds * of_round + ["barrier world root any bytes 0", "end"]


jobs = [
    ["-p", "1"],
    ["-p", "2"],
    ["-p", "3"],
    ["-p", "2", "--lb", "rotate", "--lb-period", "1"],
    ["-p", "2", "--lb", "random", "--lb-period", "1", "--arena", "private"],
]
for _ in told.check(sys.argv[1:], "recorded", expected, jobs):
    pass
