#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hyper.sh SKEIN LATE: with strategy hyper, which decides on one PE, the job computes the same in every mode, and its first
# decision makes it more even. Ranks report no hyperedges, so hyper uses their messages.
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 late=$2

"$skein" run -p 2 -n 12 "$late" >unmoved.out 2>unmoved.err || fail "unmoved: exit status $?"
for mode in inline decoupled decoupled:reserved lazy:wait=always lazy:wait=3; do
  pes=3
  [[ $mode != inline && $mode != decoupled ]] || pes=2
  for approach in partition repartition; do
    "$skein" run -p $pes -n 12 --lb "hyper:approach=$approach" --lb-period 10 --lb-mode "$mode" --lb-report report \
      "$late" >moved.out 2>moved.err || {
      if grep -q 'which this build lacks' moved.err; then
        echo "this build lacks Zoltan"
        exit
      fi
      fail "$mode, $approach: exit status $?"
    }
    cmp unmoved.out moved.out >&2 || fail "$mode, $approach: the program printed something else than unmoved"
    python3 - report <<'CHECK' || fail "$mode, $approach: see above"
import json, sys

steps = [line for line in map(json.loads, open(sys.argv[1])) if "step" in line]
if not steps:
    sys.exit("no LB step")
# Two PEs with 6 ranks of load 4 and 6 of load 1: 60 % until ranks move; a rank of load 4 too many on one of them is 20 %.
first = steps[0]
if abs(first["imbalance_before_percent"] - 60) > 0.01:
    sys.exit(f"the imbalance at the start is {first['imbalance_before_percent']} %, not 60 %")
if first["imbalance_after_percent"] > 20.01 or first["objects_moved"] == 0:
    sys.exit(f"the imbalance after the first step is {first['imbalance_after_percent']} %")
CHECK
  done
done

# hyper calls MPI, which a thread beside a computing PE cannot, and several PEs cannot decide by it together.
refused() {
  local mode=$1 text=$2
  if "$skein" run -p 3 --lb hyper --lb-mode "$mode" "$late" >refused.out 2>refused.err; then
    fail "$mode was not refused"
  fi
  grep -q -- "$text" refused.err || fail "$mode: the message does not say '$text'"
}
refused lazy:thread '--lb hyper may call MPI.* use lazy:pes=1 or decoupled'
refused lazy:pes=2 '--lb hyper decides on one PE.* use pes=1'
