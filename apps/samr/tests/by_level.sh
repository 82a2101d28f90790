#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Balancing by level: while a level runs, PEs without grids of it wait, however many grids of other levels they have.
source "$(dirname "$0")/common.sh"

# seconds_of FILE: prints the time of level 0's steps by a dump, in cells times steps, if levels run one after another: the
# fullest PE's time of each level, summed over the levels; and its ratio to the best possible sum.
seconds_of() {
  python3 - "$1" <<'PY'
import collections, json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    phases = json.load(file)["phases"]
ratios = []
for phase in phases[len(phases) // 2:]:  # grids of the beginning are where their parents were
    loads = collections.defaultdict(lambda: [0.0, 0.0])
    for task in phase["tasks"]:
        level = task.get("attributes", {}).get("skein_level")
        if level is not None:
            loads[level][task["node"]] += task["time"]
    assert len(loads) == 3, f"{len(loads)} levels"
    ratios.append(sum(max(pes) for pes in loads.values()) / sum(sum(pes) / 2 for pes in loads.values()))
print(sum(ratios) / len(ratios))
PY
}

# run NAME STRATEGY
run() {
  samr 2 --problem sedov --cells 16,16,16 --levels 3 --radius 0.03 --greatest 8 --steps 6 --report 1000 \
    --skein.lb="$2" --skein.lb-period=1 --skein.lb-dump="$work/$1.json" >"$work/$1.out" 2>"$work/$1.err" ||
    fail "$2: $(<"$work/$1.err")"
}

run sum refine
run levels refine:by_level=1
cmp <(grep fingerprint "$work/sum.out") <(grep fingerprint "$work/levels.out") || fail "by_level changes results"
sum=$(seconds_of "$work/sum.json") levels=$(seconds_of "$work/levels.json")
holds "$levels < $sum" || fail "levels one after another: $levels by level, $sum in sum"

# `skein lb` knows levels of a dump.
"$skein" lb compare "$work/levels.json" --strategies refine:by_level=1 >/dev/null || fail "the dump has no levels"
refused samr "it must be an integer from 0 to 1" --skein.lb=refine:by_level=2
