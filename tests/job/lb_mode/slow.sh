#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slow.sh SKEIN PROGRAM LIBRARY: strategies that are slow, never answer, or crash neither stop a lazy job nor change what
# it prints; a job that is to end with a failed strategy does so.
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 program=$2 library=$3

# run STATUS MODE STRATEGY
run() {
  local status=0 reserved=1
  [[ ! $2 =~ pes=([0-9]+) ]] || reserved=${BASH_REMATCH[1]}
  timeout 60 "$skein" run -p $((2 + reserved)) -n 6 --lb "$library:$3" --lb-period 2 --lb-mode "$2" "$program" 30 >run.out 2>run.err ||
    status=$?
  if (((status == 0) != ($1 == 0) || status == 124)); then fail "$2 $3: exit status $status"; fi
  (($1 != 0)) || cmp unmoved.out run.out >&2 || fail "$2 $3: the program printed something else than unmoved"
}

"$skein" run -p 2 -n 6 "$program" 30 >unmoved.out 2>unmoved.err || fail "unmoved: exit status $?"

# A job that waits gets the answer, however slow; one that does not wait is not delayed, not even at its end.
run 0 lazy:wait=always sleepy:ms=5
says 'LB lazy: [1-9][0-9]* decisions? came 0.0 sync points'
run 0 lazy sleepy:ms=100000
run 0 lazy:thread sleepy:ms=100000
run 0 lazy mute

# A job that waits does not wait for ever.
run 0 lazy:wait=always,patience=0.1 mute
says 'the LB strategy has been deciding about sync point 2 for .* the job goes on as it is'
run 1 lazy:wait=always,patience=0.1,silent=end mute
says 'the LB strategy has been deciding about sync point 2 for .* the job ends'

# If the strategy faults the job goes on without it, or ends with the fault as reason. A job that never waits may be over
# before.
for fault in "crashing:segmentation fault:4:lazy lazy|wait=always" "falling:segmentation fault:2:lazy|wait=always" \
  "aborting:aborted:2:lazy|thread,wait=always"; do
  IFS=: read -r strategy signal point modes <<<"$fault"
  for mode in ${modes//|/:}; do
    run 0 "$mode" "$strategy"
    [[ $mode == *wait=always ]] || continue
    says "the LB strategy .*$strategy ended by a fault \\($signal\\), deciding about sync point [0-9]+: the job goes on as it is"
  done
  says "deciding about sync point $point: "
  run 1 lazy:wait=always,silent=end "$strategy"
  says "the LB strategy .*$strategy ended by a fault \\($signal\\), deciding about sync point $point: the job ends"
done

# Two PEs that decide together behave the same. The job's end waits for a decision that they have begun.
run 0 lazy:pes=2,wait=always sleepy:ms=5
says 'LB lazy: [1-9][0-9]* decisions? came 0.0 sync points'
run 0 lazy:pes=2 sleepy:ms=500
run 0 lazy:pes=2,patience=0.1 sleepy:ms=1000
says 'the job is done, and waits for the LB strategy|the LB strategy has been deciding about sync point 2 for'
run 0 lazy:pes=2,wait=always,patience=0.1 sleepy:ms=700
says 'the LB strategy has been deciding about sync point 2 for .* the job goes on as it is'
run 1 lazy:pes=2,wait=always,patience=0.1,silent=end mute
says 'the LB strategy has been deciding about sync point 2 for .* the job ends'
run 1 decoupled:pes=2 broken
says 'no luck|another of the processes that decide has failed'
run 1 decoupled:reserved,pes=2 broken
says 'no luck|another of the processes that decide has failed'
run 1 lazy:pes=2,wait=always broken
says 'no luck|another of the processes that decide has failed'
