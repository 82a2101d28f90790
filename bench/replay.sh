# SPDX-License-Identifier: Apache-2.0
# How far the simulator's `simgrid` engine is from SimGrid's own replay of the same trace as TI, without
# balancing, with one rank on each PE and one PE on each node of a flat cluster:
#   bench/replay.sh [BUILD FOLDER = build [PART OF A NAME]]
# With part of a name, only programs whose names contain it.
# $LULESH, if given, is a folder with its sources (github.com/LLNL/LULESH); $BTMZ one with the programs bt-mz.W.8,
# bt-mz.W.16 and bt-mz.W.64 of NPB-MZ, made with `skein fc`.
#
# Two MPIs with different rules take different times on the same network. So the rules are made equal, in two
# ways, and the bound, 3 %, is for both:
#   Skein's  messages up to 8 KiB leave without their receivers. Longer ones wait for their receivers, and for an
#            announcement and a request, each with the latency: SimGrid's MPI gets three latencies above 8 KiB. (It
#            counts them from when both sides have come; Skein's announcement travels before the receiver comes.)
#   eager    every message leaves without its receiver. Only the network can differ.
# For comparison SimGrid's MPI with its own rules: sends of up to 64 KiB are over at once, but no byte of any leaves
# before a receive is posted.
# In all three, collectives are the messages that Skein's MPI sends for them, and the platform includes the 16 B that
# SimGrid's MPI adds to each message (gap_ns).
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
build=$(readlink -f "${1:-build}")
skein=$build/bin/skein
only=${2-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# platform NODES LATENCY_NS BANDWIDTH: describes the same machine to both.
platform() {
  local latency_ns=$2 bandwidth=$3 members
  members="\"latency_ns\": $latency_ns, $(python3 -c "b = 1e9 / $bandwidth; print(f'\"byte_ns\": {b}, \"gap_ns\": {16 * b}')")"
  for rules in skein eager; do
    cat > "$work/$rules.json" <<JSON
{"name": "cluster", "nodes": $1, "pes_per_node": 1, "network": {$members}}
JSON
    members+=', "eager_bytes": 1000000000'
  done
  cat > "$work/cluster.xml" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="machine" prefix="node-" suffix="" radical="0-$(($1 - 1))" speed="1Gf"
           bw="${bandwidth}Bps" lat="$(python3 -c "print($latency_ns / 2)")ns"
           loopback_bw="1e18Bps" loopback_lat="0ns"/>
</platform>
XML
  seq -f 'node-%.0f' 0 $(($1 - 1)) > "$work/hosts"
}

# simulated TRACE RANKS RULES
simulated() {
  "$skein" simulate "$1" --platform "$work/$3.json" --pes "$2" --engine simgrid --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["makespan_s"])'
}

# replayed RANKS SIMGRID'S OPTION...: replays the exported trace.
replayed() {
  local ranks=$1
  shift
  smpirun -np "$ranks" -hostfile "$work/hosts" -platform "$work/cluster.xml" -replay "$work/ti/traces.txt" \
    --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e18 "$@" 2>&1 |
    sed -n 's/.*Simulation time \([0-9.]*\).*/\1/p'
}

# thresholds BYTES: below them a message leaves without its receiver.
thresholds() { echo "--cfg=smpi/async-small-thresh:$1 --cfg=smpi/send-is-detached-thresh:$1"; }

# compare NAME TRACE RANKS: on an InfiniBand, and on a network on which messages cost more than computing.
compare() {
  local name=$1 trace=$2 ranks=$3 network skeins eager own
  rm -rf "$work/ti"
  "$skein" trace export "$trace" --format ti --collectives messages -o "$work/ti" > /dev/null 2>&1
  for network in '1500 5e9' '100000 2e7'; do
    # shellcheck disable=SC2086
    platform "$ranks" $network
    # shellcheck disable=SC2046
    skeins=$(replayed "$ranks" $(thresholds 8193) --cfg=network/model:SMPI --cfg=network/weight-S:0 \
      --cfg=smpi/bw-factor:0:1 "--cfg=smpi/lat-factor:$((8192 + 16)):3")
    # shellcheck disable=SC2046
    eager=$(replayed "$ranks" $(thresholds 1000000000) --cfg=network/model:CM02)
    own=$(replayed "$ranks" --cfg=network/model:CM02)
    python3 - "$name" "$ranks" "$network" "$(simulated "$trace" "$ranks" skein)" "$skeins" \
      "$(simulated "$trace" "$ranks" eager)" "$eager" "$own" <<'PYTHON'
import sys
name, ranks, network = sys.argv[1:4]
ours, skeins, ours_eager, eager, own = map(float, sys.argv[4:])
latency, bandwidth = map(float, network.split())
off = lambda a, b: f"{100 * (a / b - 1):+.2f} %"
print(f"{name:18} {ranks:>3} ranks, {latency / 1000:5.1f} us {bandwidth / 1e6:6.0f} MB/s:  "
      f"Skein's rules {ours:9.6f} s, smpirun -replay {skeins:9.6f} s: {off(ours, skeins)} (at most 3 %)   "
      f"eager {ours_eager:9.6f} s, {eager:9.6f} s: {off(ours_eager, eager)} (at most 3 %)   "
      f"against SimGrid's own rules {own:9.6f} s: {off(ours, own)}", flush=True)
PYTHON
  done
}

# record NAME RANKS PROGRAM...: records and compares.
record() {
  local name=$1 ranks=$2
  shift 2
  [[ $name == *"$only"* ]] || return 0
  rm -f "$work/run.sktrace"
  "$skein" run -p 2 -n "$ranks" --trace "$work/run.sktrace" "$@" > /dev/null 2>&1
  compare "$name" "$work/run.sktrace" "$ranks"
}

"$skein" cc -std=c11 -O3 -ffp-contract=off apps/seismic/*.c -lm -o "$work/seismic"
for scenario in ligurian niigata; do
  for ranks in 8 16 64; do
    record "seismic, $scenario" $ranks "$work/seismic" apps/seismic/scenarios/$scenario.txt --steps 40 --migrate 10 \
      --output "$work/out"
  done
done
"$skein" cc -O2 bench/graph.c -o "$work/graph"
for ranks in 8 16 64; do record "random graph" $ranks "$work/graph"; done
if [[ -n ${LULESH:-} ]]; then
  "$skein" cxx -O2 -DUSE_MPI=1 "$LULESH"/lulesh*.cc -o "$work/lulesh"
  for ranks in 8 27 64; do record LULESH $ranks "$work/lulesh" -s 10 -i 50; done
fi
if [[ -n ${BTMZ:-} ]]; then
  for ranks in 8 16 64; do record "BT-MZ, class W" $ranks "$BTMZ/bt-mz.W.$ranks"; done
fi
