#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lost.sh SKEIN MPIEXEC RANKS MARK PROGRAM [ARGUMENT...]: once the program, running on two nodes, has printed MARK, the
# network of node 2 goes down. The job must end by itself with an error that names the node, and leave no process on
# either side.
set -euo pipefail
skein=$1 mpirun=$2 ranks=$3 mark=$4
shift 4
source "$(dirname "$0")/nodes.sh"
make_nodes
cd "$scratch"

fail() {
  echo "FAILED: $*" >&2
  tail -n 40 job.out >&2
  exit 1
}

job -n "$ranks" --lb random --lb-period 1 "$@" >job.out 2>&1 &
running=$!
for ((i = 0; i < 600; ++i)); do
  grep -q "$mark" job.out && break
  kill -0 $running 2>/dev/null || fail "the job ended before its network did"
  sleep 0.1
done
grep -q "$mark" job.out || fail "no '$mark' in a minute"
ip -n "$TWO_NODES-2" link set wire down

# Silence counts as loss after 15 s, and the launcher has 15 s more.
wait_until_gone 45 || fail "45 s later processes are left: node 1: $(processes_of_node 1), node 2: $(processes_of_node 2)"
status=0
wait $running || status=$?
((status != 0)) || fail "exit status 0"
grep -q "PE [01] on node node1 has lost PE [23] on node node2" job.out || fail "the lost node is not named"
