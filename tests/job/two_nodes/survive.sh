#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# survive.sh SKEIN MPIEXEC PROGRAM RANKS LOSS: a job with --survive on two nodes, of RANKS ranks or, if RANKS is `native`, of the
# native program, loses (LOSS) a PE of each node in turn (`pe`; then it goes on on node 1 alone, and again on both), all of node 2
# at once (`node`), or the network to it as well (`wire`). It ends with the results of an undisturbed job, and leaves nothing in
# memory. Both nodes have one /dev/shm here: node 2's folder there is removed with the node.
set -euo pipefail
skein=$1 mpirun=$2 program=$3 ranks=$4 loss=$5
source "$(dirname "$0")/nodes.sh"
make_nodes
cd "$scratch"
steps=24

fail() {
  echo "FAILED: $*" >&2
  tail -n 20 ./*.out ./*.err >&2
  exit 1
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds.
wait_for() {
  local tenths=$((10 * $1)) what=$2
  shift 2
  while ! "$@"; do
    kill -0 $running 2>/dev/null || fail "the job ended before $what"
    ((tenths-- > 0)) || fail "no $what in time"
    sleep 0.1
  done
}

subject=(-n "$ranks" "$program")
[[ $ranks != native ]] || subject=(--deterministic "$program" wave)
in_node 1 "$skein" run -p 1 "${subject[@]}" $steps >whole.out 2>whole.err || fail "the whole job: status $?"
mkdir whole
[[ $ranks == native ]] || mv continued.* whole

job --survive=every=0.1s "${subject[@]}" $steps go >job.out 2>job.err &
running=$!

memory=
trap 'remove_nodes; [[ ! $memory ]] || rm -rf "$memory" "$memory@node2"' EXIT
find_memory() {
  for starter in $(processes_of_node 1); do
    memory=/dev/shm/skein-states-$starter
    if [[ -d $memory ]]; then return 0; fi
  done
  return 1
}
wait_for 30 "folder in memory" find_memory

newest() { find "$memory" -maxdepth 1 -name 'state-*' -printf '%f\n' 2>/dev/null | sort | tail -n 1; }
is_newer() { [[ $(newest) > $1 ]]; }
told() { grep -c 'the job goes on from state' job.err || true; }
is_told() { (($(told) > $1)); }

# pes_of_node NODE: prints the processes that the MPI launcher, or its daemon on the node, has started.
pes_of_node() {
  local process parent
  for process in $(processes_of_node "$1"); do
    parent=$(awk '/^PPid/ { print $2 }' "/proc/$process/status" 2>/dev/null) || continue
    case $(cat "/proc/$parent/comm" 2>/dev/null) in mpirun* | mpiexec* | orterun | orted | prterun | prted) echo "$process" ;; esac
  done
}

# settle: waits for a state of the present PEs, and for a second one, so that the first was overwritten.
settle() {
  local before
  for _ in 1 2 3; do
    before=$(newest)
    wait_for 60 "state behind '$before'" is_newer "$before"
  done
}

# lose_pe NODE
lose_pe() {
  local before process
  settle
  before=$(told)
  process=$(pes_of_node "$1" | tail -n 1)
  [[ $process ]] || fail "no PE on node $1"
  kill -KILL "$process"
  wait_for 60 "word of a PE of node $1" is_told "$before"
  [[ $1 == 1 ]] || tail -n 1 job.err | grep -q "PE [23], process [0-9]* on node2, died; .* on 4 PEs" || fail "not that of node $1"
}

# lose_node: waits until all PEs know that nothing comes from there, which takes a while.
lose_node() {
  local before
  settle
  [[ $(find "$memory@node2" -name 'image-*' | wc -l) -ge 4 ]] || fail "node 2 has no copies"
  before=$(told)
  touch down-2
  [[ $loss == node ]] || ip -n "$TWO_NODES-2" link set wire down
  # shellcheck disable=SC2046
  kill -KILL $(processes_of_node 2)
  rm -rf "$memory@node2"
  wait_for 90 "word of the lost node" is_told "$before"
  grep -q "no PE can be started on $subnet.2: the job goes on without it" job.err || fail "the node is not named"
  tail -n 1 job.err | grep -q "on 2 PEs" || fail "not on the PEs that are left"
}

# resize PES
resize() {
  settle
  in_node 1 "$skein" resize "$starter" -p "$1" >resize.out 2>&1 || fail "resize: $(cat resize.out)"
  wait_for 60 "word of $1 PEs" grep -q "goes on with $1 PEs" job.err
  settle
}

if [[ $loss == pe ]]; then
  lose_pe 2
  lose_pe 1
  resize 2
  [[ ! -e $memory@node2 ]] || fail "left in the memory of node 2, which has no PE"
  resize 4
else
  lose_node
  # The node is lost by silence for so long, unless the MPI launcher has noticed before that something is wrong there.
  lost='the node node2, with PE [23], is lost|the MPI launcher has ended the job .*, for something on another machine'
  [[ $loss == node ]] || grep -qE "($lost); the job goes on" job.err || fail "the node is not lost"
  lose_pe 1
fi
settle
touch go
wait $running || fail "status $?"
for file in $(compgen -G 'whole/*'); do
  cmp "$file" "$(basename "$file")" >&2 || fail "other results than undisturbed"
done
# Output that was printed after a state is printed again.
awk '!printed[$0]++' job.out | cmp - whole.out >&2 || fail "another output than undisturbed"
[[ ! $(compgen -G "$memory*") ]] || fail "left in memory: $(compgen -G "$memory*")"
wait_until_gone 10 || fail "processes are left"
