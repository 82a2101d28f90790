#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# calibrate.sh SKEIN: checks that calibration gives a platform that can be simulated on, with plausible numbers.
set -euo pipefail
skein=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

"$skein" calibrate -p 2 --name here --output here.platform >out
cat out
grep -q "node *send" out
python3 - <<'END'
import json
p = json.load(open("here.platform"))
assert p["name"] == "here" and p["nodes"] == 1 and p["pes_per_node"] == 2, p
assert p["source"].startswith("Measured on "), p["source"]
# Wide bounds: no message takes less than a nanosecond or more than a millisecond. Sending and receiving are the times
# beyond those inside a PE: between PEs that share memory they may be 0.
assert 1 <= p["node"]["latency_ns"] <= 1e6, p["node"]
assert all(0 <= p["node"][name] <= 1e6 for name in ("send_ns", "receive_ns")), p["node"]
assert 0 <= p["switch_ns"] <= 1e5, p
# Neighbours make no PE faster. The bound is wide, as other processes on the cores count, too.
assert len(p["contention"]) == 2 and p["contention"][0] == 1 and 1 <= p["contention"][1] <= 20, p["contention"]
# Disturbances of the machine may exceed the time of moves.
assert all(0 <= p["moves"][name] <= 1e9 for name in ("meeting_ns", "begin_ns", "object_ns")), p

# Decisions: the time of one PE, and of two that decide together where this build has libraries for that.
together = p["together"]
assert 0 < p["decision_element_ns"]["greedy"] <= 1e6, p
for strategy, pes in together["pes"].items():
    assert pes == 2, together
    # By one and by two PEs, for a thousand elements: more than nothing, less than ten seconds.
    for m, levels in ((1, 0), (2, 1)):
        of = lambda name: together[name].get(strategy, 0)
        assert 1 <= of("ns") + 1000 / m * of("element_ns") + levels * of("level_ns") + m * of("pe_ns") <= 1e10, (m, together)
assert ("zoltan" in together["pes"]) == ("decision together" in open("out").read()), together
END

if "$skein" calibrate -p 2 2>err; then exit 1; fi
grep -q "skein calibrate: -o FILE is missing" err
