# SPDX-License-Identifier: Apache-2.0
"""repeated.py SKEIN TRACE_TEXT PROGRAM WORK: the trace of tests/programs/repeated.c, whose rounds are much alike, has every
round as it was, wherever ranks are and however they move."""
import sys

import told

rounds = 120


def halo(left, right, i):
    yield f"start receive {left} world tag 1 bytes 100"
    yield f"start receive {right} world tag 2 bytes 100"
    yield f"start send {right} world tag 1 bytes 100"
    yield f"start send {left} world tag 2 bytes 100"
    if i % 8 < 6:
        yield "wait [3 2 1 0]"
    elif i % 8 == 6:
        yield "wait [0 1 2 3]"
    else:
        yield from (f"wait [{k}]" for k in range(4))


def changing(left, right, i):
    tag = 3 + i // 16 % 2
    yield f"start receive {left} world tag {tag} bytes 100"
    yield "start receive any world tag 5 bytes 100"
    yield f"start send {right} world tag {tag} bytes {10 + i // 24}"
    yield f"start send {left} world tag 5 bytes 100"
    yield f"matched {right} world tag 5 bytes 100 [2]"
    yield "wait [3 2 1 0]"
    yield f"start receive {left} world tag 6 bytes 100"
    yield "matched any world tag any bytes 0 [0]" if i % 8 == 7 else f"send {right} world tag 6 bytes 6"
    yield "wait [0]"


def persistent(left, right, i):
    tag = 10 + (i + 1) // 20 - (1 if i >= 19 else 0)
    yield f"start receive {left} world tag {tag} bytes 100"
    yield f"start send {right} world tag {tag} bytes 50"
    yield "wait [1 0]"


def expected(me):
    left, right = (me + 2) % 3, (me + 1) % 3
    yield f"object {me}"
    for i in range(rounds):
        for part in (halo, changing, persistent):
            yield from part(left, right, i)
        if i % 30 == 29:
            yield "sync"
    yield "barrier world root any bytes 0"  # of MPI_Finalize
    yield "end"


jobs = [
    ["-p", "1"],
    ["-p", "3"],
    ["-p", "2", "--lb", "rotate", "--lb-period", "1"],
    ["-p", "2", "--lb", "random", "--lb-period", "1", "--arena", "private"],
]
for _ in told.check(sys.argv[1:], "repeated", expected, jobs):
    pass
