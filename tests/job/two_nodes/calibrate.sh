#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# calibrate.sh SKEIN MPIEXEC: the network between two nodes is measured, and the measurement ends though four PEs share
# few cores.
set -euo pipefail
skein=$1 mpirun=$2
source "$(dirname "$0")/nodes.sh"
make_nodes
cd "$scratch"
in_node 1 "$skein" calibrate -p 2 --no-decisions --start "$(mpiexec_of_nodes) -n 4" -o two.platform >out
cat out
grep -q "network *on the way" out
wait_until_gone 10
python3 - <<'END'
import json
p = json.load(open("two.platform"))
assert p["nodes"] == 2 and p["pes_per_node"] == 2, p
# Wide bounds: TCP on one machine takes microseconds, and less than a second even if PEs share cores.
assert 100 <= p["network"]["latency_ns"] <= 1e9, p["network"]
assert 0 < p["network"]["byte_ns"] <= 1e5, p["network"]
assert all(0 <= p["moves"][name] <= 1e10 for name in ("meeting_ns", "begin_ns", "object_ns")), p["moves"]
END

# Nothing is measured if the node's own part would be measured across nodes.
if SKEIN_MPIEXEC="$(mpiexec_of_nodes) --map-by node" in_node 1 "$skein" calibrate -p 2 --no-decisions -o wrong.platform 2>err; then
  echo "calibrate takes two nodes for one" >&2
  exit 1
fi
cat err
grep -q "Unset SKEIN_MPIEXEC" err
[[ ! -e wrong.platform ]]
wait_until_gone 10
