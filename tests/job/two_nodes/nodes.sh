# SPDX-License-Identifier: Apache-2.0
# Two nodes on one machine, sourced by the tests that run across them: two network namespaces joined by a pair of
# virtual devices, each with a host name of its own, so that an MPI takes them for two machines. Node 1 has address
# 10.73.0.1 and name node1, node 2 has 10.73.0.2 and node2.
subnet=10.73.0
export TWO_NODES=skein-$$
scratch=$(mktemp -d)
cp "$(dirname "${BASH_SOURCE[0]}")/agent.sh" "$scratch"

skip() {
  echo "skipped: $*"
  exit 77
}

# The processes of a node are found by its namespace, so that no process outside is ever ended.
processes_of_node() { ip netns pids "$TWO_NODES-$1" 2>/dev/null || true; }

# wait_until_gone SECONDS: waits for the processes on the nodes to end.
wait_until_gone() {
  local tenths
  for ((tenths = 0; tenths < 10 * $1; ++tenths)); do
    if [[ ! $(processes_of_node 1)$(processes_of_node 2) ]]; then return 0; fi
    sleep 0.1
  done
  return 1
}

remove_nodes() {
  local node pids
  for node in 1 2; do
    pids=$(processes_of_node $node)
    # shellcheck disable=SC2086
    if [[ $pids ]]; then kill -KILL $pids 2>/dev/null || true; fi
    ip netns del "$TWO_NODES-$node" 2>/dev/null || true
  done
  rm -rf "$scratch"
}
trap remove_nodes EXIT
trap 'exit 1' INT TERM HUP

# Nodes boot at different times, and their clocks start then: these options of unshare put the monotonic clock of
# node 2 ahead by some two hours, where the system can. --fork is for older kernels, which let only children see
# another clock. They are in variables, one a node, as a shell between here and the agent may drop functions; dash does.
export CLOCK_OF_NODE_1= CLOCK_OF_NODE_2="--fork --time --monotonic 8000"
# shellcheck disable=SC2086
unshare $CLOCK_OF_NODE_2 true 2>/dev/null || CLOCK_OF_NODE_2=
clock_of_node() {
  local clock=CLOCK_OF_NODE_$1
  echo "${!clock}"
}

in_node() {
  local node=$1
  shift
  # shellcheck disable=SC2046
  ip netns exec "$TWO_NODES-$node" unshare --uts $(clock_of_node "$node") bash -c 'hostname "$0" && exec "$@"' "node$node" "$@"
}

make_nodes() {
  local why node
  command -v ip >/dev/null || skip "no ip command (package iproute2)"
  if [[ ${NEED_TWO_CLOCKS-} && ! $CLOCK_OF_NODE_2 ]]; then skip "no clock of its own for a namespace"; fi
  for node in 1 2; do
    why=$(ip netns add "$TWO_NODES-$node" 2>&1) || skip "network namespaces cannot be made here: $why"
  done
  why=$(in_node 1 true 2>&1) || skip "no host name of its own for a namespace: $why"
  why=$(ip -n "$TWO_NODES-1" link add wire type veth peer name wire netns "$TWO_NODES-2" 2>&1) ||
    skip "no pair of virtual network devices: $why"
  for node in 1 2; do
    ip -n "$TWO_NODES-$node" addr add "$subnet.$node/24" dev wire
    ip -n "$TWO_NODES-$node" link set lo up
    ip -n "$TWO_NODES-$node" link set wire up
  done
}

# The command that starts processes on both nodes, from node 1. Uses the variables `mpirun`, the command, and, if they
# are set, `mpirun_options` and `slots_of_node`, how many processes fit on a node (two).
mpiexec_of_nodes() {
  printf "%s slots=${slots_of_node-2}\n" "$subnet.1" "$subnet.2" >"$scratch/hosts"
  echo "$mpirun ${mpirun_options-} --hostfile $scratch/hosts --mca plm_rsh_agent $scratch/agent.sh" \
    "--mca oob_tcp_if_include $subnet.0/24 --mca btl_tcp_if_include $subnet.0/24"
}

# job OPTION... PROGRAM: `skein run` with two PEs on each node, started from node 1. Uses the variable `skein`, the
# command.
job() { SKEIN_MPIEXEC=$(mpiexec_of_nodes) in_node 1 "$skein" run -p 4 "$@"; }
