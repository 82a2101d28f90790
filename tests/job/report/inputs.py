# SPDX-License-Identifier: Apache-2.0
"""Files that skein report draws, made up from formulas."""
import json


def run_report(path, pes=4, intervals=6, ranks=8, load=None, length=1.0):
    """A report of --lb-report: `load(interval, pe)` in seconds; in step k rank k goes on to the next PE."""
    load = load or (lambda interval, pe: (1 + pe + interval) / (pes + intervals))
    places = [rank * pes // ranks for rank in range(ranks)]
    lines = [{"job": {"version": 1, "command": "skein run ./made-up", "lb": "rotate", "pes": pes, "objects": "ranks",
                      "placement": list(places)}}]
    for k in range(intervals):
        busy = [load(k, pe) for pe in range(pes)]
        mean = sum(busy) / pes
        interval = {"at_s": (k + 1) * length, "interval_s": length, "busy_s": busy,
                    "busy_unbalanced_s": [2 * seconds for seconds in busy], "max_busy_unmoved_s": max(busy) + 0.25}
        if k + 1 == intervals:
            lines.append({"end": interval})
            break
        rank = k % ranks
        before, places[rank] = places[rank], (places[rank] + 1) % pes
        percent = (max(busy) / mean - 1) * 100 if mean > 0 else 0
        lines.append({"step": k + 1, "strategy": "rotate", **interval, "imbalance_before_percent": percent,
                      "imbalance_after_percent": percent / 2, "objects_moved": 1, "objects_pinned": [],
                      "bytes_handed_over": 5000, "bytes_copied": 0, "meet_s": 0.001, "decide_s": 0.002, "move_s": 0.003,
                      "moves": [[rank, before, places[rank]]], "why": ""})
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path
