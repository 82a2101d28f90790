#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""near_memory.py REPORT COMMAND...: checks that pages follow ranks to another memory domain.

COMMAND runs near_memory on two PEs and writes REPORT. hwloc is told of a machine whose two processors have a domain
each. The system moves pages as on its own machine: here mostly to where they already are.
"""
import ctypes
import json
import os
import subprocess
import sys

MOVE_PAGES, MPOL_MF_MOVE = 279, 2
RANK_BYTES = 4 << 20


def may_move_pages():
    memory = ctypes.create_string_buffer(b"x", 8192)
    page = ctypes.c_void_p(ctypes.addressof(memory))
    node, status = ctypes.c_int(0), ctypes.c_int(-1)
    call = ctypes.CDLL(None, use_errno=True).syscall
    return call(MOVE_PAGES, 0, ctypes.c_ulong(1), ctypes.byref(page), ctypes.byref(node), ctypes.byref(status),
                MPOL_MF_MOVE) == 0


def followed(report, command, variables):
    run = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and "near_memory: all as it should be" in run.stdout, run.stdout + run.stderr
    with open(report, encoding="utf-8") as file:
        steps = [line for line in map(json.loads, file) if "step" in line]
    return run.stderr, steps


def main():
    report, *command = sys.argv[1:]
    if not may_move_pages() or len(os.sched_getaffinity(0)) < 2:
        print("skipped: pages cannot be moved here, or there is one processor")
        return 77
    said, steps = followed(report, command, {"HWLOC_SYNTHETIC": "numa:2 core:1 pu:1", "HWLOC_THISSYSTEM": "1"})
    moves = sum(step["objects_moved"] for step in steps)
    brought = sum(step["bytes_followed"] for step in steps)
    assert moves > 0, steps
    # A rank that stays where it came is brought once.
    assert RANK_BYTES <= brought <= (moves + 1) * 2 * RANK_BYTES, (moves, brought)
    assert "followed to another memory domain" in said, said
    first_move = next(i for i, step in enumerate(steps) if step["objects_moved"])
    first = next(i for i, step in enumerate(steps) if step["bytes_followed"])
    assert first > first_move, (first_move, first)  # a stay that has just begun is not long
    with open("/sys/devices/system/node/has_memory", encoding="utf-8") as file:
        if file.read().strip().isdigit():
            said, steps = followed(report, command, {})
            assert not any(step["bytes_followed"] for step in steps), steps
            assert "domain" not in said, said
    return 0


sys.exit(main())
