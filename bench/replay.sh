# SPDX-License-Identifier: Apache-2.0
# How far the simulator's `simgrid` engine is from SimGrid's own replay of the same trace as TI, without
# balancing, with one rank on each PE and one PE on each node of a flat cluster:
#   bench/replay.sh [BUILD FOLDER = build]
# LULESH is taken from $LULESH, a folder with its sources (github.com/LLNL/LULESH), where there is one.
#
# The bound, 3 %, is for collectives as the messages that Skein's MPI sends: SimGrid's MPI has other algorithms,
# with which the last column is.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
build=$(readlink -f "${1:-build}")
skein=$build/bin/skein
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# platform NODES LATENCY_NS BANDWIDTH: the same machine for both.
platform() {
  local latency_ns=$2 bandwidth=$3
  cat > "$work/cluster.json" <<JSON
{"name": "cluster", "nodes": $1, "pes_per_node": 1,
 "network": {"latency_ns": $latency_ns, "byte_ns": $(python3 -c "print(1e9 / $bandwidth)")}}
JSON
  cat > "$work/cluster.xml" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="machine" prefix="node-" suffix="" radical="0-$(($1 - 1))" speed="1Gf"
           bw="${bandwidth}Bps" lat="$(python3 -c "print($latency_ns / 2)")ns"/>
</platform>
XML
  seq -f 'node-%.0f' 0 $(($1 - 1)) > "$work/hosts"
}

simulated() {
  "$skein" simulate "$1" --platform "$work/cluster.json" --pes "$2" --engine "$3" --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["makespan_s"])'
}

# replayed TRACE RANKS COLLECTIVES
replayed() {
  rm -rf "$work/ti"
  "$skein" trace export "$1" --format ti --collectives "$3" -o "$work/ti" > /dev/null 2>&1
  smpirun -np "$2" -hostfile "$work/hosts" -platform "$work/cluster.xml" -replay "$work/ti/traces.txt" \
    --cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e18 2>&1 |
    sed -n 's/.*Simulation time \([0-9.]*\).*/\1/p'
}

# compare NAME TRACE RANKS: on an InfiniBand, and on a network on which messages cost more than computing.
compare() {
  local name=$1 trace=$2 ranks=$3 network ours theirs
  for network in '1500 5e9' '100000 2e7'; do
    # shellcheck disable=SC2086
    platform "$ranks" $network
    ours=$(simulated "$trace" "$ranks" simgrid)
    theirs=$(replayed "$trace" "$ranks" messages)
    python3 - "$name" "$ranks" "$network" "$ours" "$theirs" "$(replayed "$trace" "$ranks" theirs)" <<'PYTHON'
import sys
name, ranks, network, ours, theirs, algorithms = *sys.argv[1:4], *map(float, sys.argv[4:])
latency, bandwidth = map(float, network.split())
print(f"{name:18} {ranks:>3} ranks, {latency / 1000:5.1f} us {bandwidth / 1e6:6.0f} MB/s:  simgrid {ours:9.6f} s  "
      f"smpirun -replay {theirs:9.6f} s  off by {100 * abs(ours / theirs - 1):.2f} % (at most 3 %), "
      f"with SimGrid's collectives {100 * abs(ours / algorithms - 1):.2f} %")
PYTHON
  done
}

scenario=apps/seismic/scenarios
"$skein" cc -std=c11 -O3 -ffp-contract=off apps/seismic/*.c -lm -o "$work/seismic"
for name in ligurian niigata; do
  for ranks in 16; do
    "$skein" run -p 2 -n $ranks --trace "$work/$name-$ranks.sktrace" "$work/seismic" "$scenario/$name.txt" --steps 40 \
      --migrate 10 --output "$work/out" > /dev/null 2>&1
    compare "seismic, $name" "$work/$name-$ranks.sktrace" $ranks
  done
done
if [[ -n ${LULESH:-} ]]; then
  "$skein" cxx -O2 -DUSE_MPI=1 "$LULESH"/lulesh*.cc -o "$work/lulesh"
  for ranks in 8 27; do
    "$skein" run -p 2 -n $ranks --trace "$work/lulesh-$ranks.sktrace" "$work/lulesh" -s 10 -i 50 > /dev/null 2>&1
    compare LULESH "$work/lulesh-$ranks.sktrace" $ranks
  done
fi
