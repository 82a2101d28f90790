#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that a recorded run without divided grids tells which grids can be divided, their declared loads and their levels: in its
# simulation move-split cuts one of three equal grids on two PEs. simulated.sh FOLDER MPIEXEC SKEIN, the skein command.
source "$(dirname "$0")/common.sh"

# record NAME OPTION...: records a run without a strategy, on one PE: so bursts are equally long whether two processors share a core
# or not.
record() {
  samr 1 "${@:2}" --skein.lb-period=1000000000 --skein.trace="$work/$1.sktrace" >"$work/$1.out" 2>&1 || fail "$(<"$work/$1.out")"
  "$skein" trace check "$work/$1.sktrace" >/dev/null || fail "the trace of $1 has errors"
}
# simulated NAME STRATEGY [OPTION...]: prints the simulation as JSON, on two PEs of a node where only computing takes time.
printf '{"name": "ideal", "nodes": 1, "pes_per_node": 2, "node": {"latency_ns": 0}}' >"$work/ideal.json"
simulated() {
  "$skein" simulate "$work/$1.sktrace" --platform "$work/ideal.json" --pes 2 --lb "$2" --lb-period 1 --json "${@:3}"
}

record tube --problem sod --cells 48,16,16 --levels 1 --greatest 16 --steps 24
whole=$(simulated tube none --alone | python3 -c 'import json, sys; print(json.load(sys.stdin)["makespan_s"])')
read -r parts parted < <(simulated tube move-split --alone | python3 -c '
import json, sys
told = json.load(sys.stdin)
print(sum(step.get("parts_split_off", 0) for step in told["steps"]), told["makespan_s"])')
((parts > 0)) || fail "none of three equal grids is split on two PEs"
# After the first of 24 steps each PE has three halves of a grid instead of two grids and one: 0.78 of the time, and the start.
holds "$parted < 0.9 * $whole" || fail "$parted s in place of $whole s"

record blast --problem sedov --cells 16,16,16 --levels 3 --radius 0.03 --greatest 8 --steps 2
simulated blast refine:by_level=1 >/dev/null || fail "the trace has no levels"

# --roots gives a grid to each PE of a larger simulated machine.
samr 2 --problem sod --cells 48,16,16 --levels 1 --greatest 16 --steps 1 --roots 24 2>/dev/null | grep -Eq "^ *0 +0\.0+ +24 " || fail "not 24 grids"
