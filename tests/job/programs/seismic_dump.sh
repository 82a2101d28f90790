#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# seismic_dump.sh SKEIN REPOSITORY: a dump of apps/seismic goes through every subcommand that reads files.
set -euo pipefail
skein=$1 seismic=$2/apps/seismic
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-dump.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  cat out >&2
  exit 1
}

"$skein" cc -std=c11 -O2 -ffp-contract=off "$seismic"/*.c -lm -o seismic
"$skein" run -p 2 -n 16 --lb-period 1 --lb-dump dump.json.zst \
  ./seismic "$seismic/tests/small.txt" --steps 60 --migrate 20 --output results >out 2>&1 || fail "the run"

"$skein" lb compare dump.json.zst --phase all --json >out || fail "compare"
python3 - out <<'END' || fail "what compare says"
import json
import sys
with open(sys.argv[1], encoding="utf-8") as file:
    phases = [json.loads(line) for line in file]
assert [phase["phase"] for phase in phases] == list(range(len(phases))) and len(phases) >= 2, len(phases)
for phase in phases:
    assert (phase["objects"], phase["pes"]) == (16, 2) and phase["edges"] > 0, phase
    usable = [row for row in phase["rows"] if "unavailable" not in row]
    assert [row["total_s"] for row in usable] == sorted(row["total_s"] for row in usable)
    assert {"none", "greedy", "refine-comm"} <= {row["strategy"] for row in usable}
    assert {"rcb", "sfc", "koradi"} <= {row["strategy"] for row in usable}  # the program has a grid of ranks
    rows = {row["strategy"]: row for row in usable}
    assert rows["none"]["imbalance_after_percent"] == rows["none"]["imbalance_before_percent"]
    assert rows["greedy"]["imbalance_after_percent"] <= rows["none"]["imbalance_after_percent"]
    assert rows["none"]["objects_moved"] == 0
END

# Positions are the coordinates in the program's grid, which MPI_Dims_create() makes 4 x 4, the last dimension fastest.
"$skein" lb convert dump.json.zst plain.json >out || fail "convert"
python3 - plain.json >out 2>&1 <<'END' || fail "positions"
import json
import sys
with open(sys.argv[1], encoding="utf-8") as file:
    phases = json.load(file)["phases"]
for phase in phases:
    ranks = {task["entity"]["seq_id"]: task["attributes"] for task in phase["tasks"] if "skein_x" in task["attributes"]}
    places = {rank: tuple(ranks[rank][f"skein_{axis}"] for axis in "xyz") for rank in ranks}
    assert places == {rank: (rank // 4, rank % 4, 0) for rank in range(16)}, places
END

"$skein" lb apply dump.json.zst --strategy greedy -o 'balanced.%p.json' >out || fail "apply"
"$skein" lb convert 'balanced.%p.json' balanced.json >out || fail "convert"
"$skein" lb metrics balanced.json >out || fail "metrics"
grep -q ': 16 objects on 2 PEs' out || fail "the objects are gone"
