#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# stopped.sh SKEIN PAUSING OBJECTS: a reserved PE is stopped (SIGSTOP). The job goes on without LB steps, and says so; once
# the PE is continued LB steps resume; if it never is, the job still ends, and prints everything before. The job waits for a
# PE that is only slow. OBJECTS are the `ranks` or the `elements` of the program PAUSING.
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 pausing=$2 objects=$3

# begin PES MODE [WORD]: starts a job in which two PEs compute, and waits until no object is in a sync point, or for what WORD
# tells the program; then it stops PE 2, and objects go on.
begin() {
  local run=("$skein" run -p "$1" -v --lb random --lb-period 1 --lb-mode "$2")
  [[ $objects == elements ]] || run+=(-n 5)
  mark=$2
  rm -f ready go passed over
  JOB_TEST_MARK=$work/$mark "${run[@]}" "$pausing" "${@:3}" >run.out 2>run.err &
  job=$!
  wait_for '[[ -e ready ]] || ! kill -0 "$job" 2>/dev/null' && [[ -e ready ]] || fail "$2: the $objects have not come to their fifth step"
  stop_pe 2
  touch go
}
goes_on() {
  wait_for '[[ -e passed ]]' || fail "$mark: the $objects have not gone on"
  wait_for "grep -q 'PE 2, which only decides, has not answered for' run.err" || fail "$mark: it is not told that PE 2 does not answer"
  local named=lazy:
  [[ $mode == decoupled:reserved,* ]] && named=decoupled:reserved,
  says "the job goes on as it is, and nobody waits .*--lb-mode ${named}patience=, silent="
}
is_whole() { sort run.out | cmp - expected || fail "$mark: the $objects have not printed what they are to"; }
decided() { grep -cE 'LB (step|decision about)' run.err || true; }
answers_again() {
  kill -CONT "$stopped"
  wait_for "grep -q 'answer again' run.err" || fail "$mark: PE 2 does not answer again"
  local before
  before=$(decided)
  wait_for "((\$(decided) > $before + 2))" || fail "$mark: nothing is decided any more"
  touch over
  ends_with 0
  is_whole
}

if [[ $objects == ranks ]]; then
  for rank in 0 1 2 3 4; do echo "rank $rank has come to its end"; done
  echo "pausing: all as it should be"
else
  echo passed
fi | sort >expected

# One place in the code waits for both kinds of objects: each kind tests some of these modes.
case $objects in
  ranks) modes=(decoupled:reserved,patience=1 lazy:patience=1 lazy:pes=2,wait=always,patience=1) ;;
  *) modes=(lazy:wait=always,patience=1 lazy:wait=2,patience=1) ;;
esac
for mode in "${modes[@]}"; do
  pes=3
  [[ $mode != *pes=2* ]] || pes=4
  begin $pes "$mode"
  goes_on
  answers_again
done

# Elements have stopped for a decision, or have promised to stop.
if [[ $objects == elements ]]; then
  for mode in lazy:patience=1 lazy:wait=always,patience=1; do
    begin 3 "$mode" --stopped
    goes_on
    answers_again
  done
fi

# A slow PE works for one twentieth of the time.
for mode in decoupled:reserved lazy:wait=always; do
  begin 3 "$mode"
  while [[ ! -e passed ]]; do
    kill -CONT "$stopped"
    sleep 0.005
    kill -STOP "$stopped"
    sleep 0.1
  done
  kill -CONT "$stopped"
  touch over
  ends_with 0
  is_whole
  says_not 'has not answered for'
done

# The job's end waits for the last decision, or does not.
[[ $objects == ranks ]] && modes=(lazy:patience=1 lazy:wait=always,patience=1) || modes=(decoupled:reserved,patience=1)
for mode in "${modes[@]}"; do
  begin 3 "$mode"
  goes_on
  touch over
  ends_with 1
  is_whole
  says 'the job is done, but PE 2, which only decides, has not answered for .*: it ends without'
done

[[ $objects == ranks ]] && mode=decoupled:reserved,patience=1,silent=end || mode=lazy:wait=always,patience=1,silent=end
begin 3 "$mode"
ends_with 1
says 'PE 2, which only decides, has not answered for .*: the job ends'
