#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# parallel.sh SKEIN MODE LATE: with parallel strategies on two reserved PEs the job computes the same, and the first
# decision makes it more even. Each reserved PE hears of some ranks but not of all, and together they hear of each rank once.
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 mode=$2 late=$3

"$skein" run -p 2 -n 12 "$late" >unmoved.out 2>unmoved.err || fail "unmoved: exit status $?"
tried=0
for strategy in zoltan zoltan:approach=repartition scotch rcb sfc; do
  # A build may lack the libraries.
  "$skein" run -p 4 -n 12 --lb "$strategy" --lb-period 10 --lb-mode "$mode" --lb-report report \
    "$late" >moved.out 2>moved.err || {
    if grep -q 'which this build lacks' moved.err; then continue; fi
    fail "$strategy: exit status $?"
  }
  cmp unmoved.out moved.out >&2 || fail "$strategy: the program printed something else than unmoved"
  python3 - report "$strategy" <<'CHECK' || fail "$strategy: see above"
import json, sys

steps = [line for line in map(json.loads, open(sys.argv[1])) if "step" in line]
if not steps:
    sys.exit("no LB step")
for step in steps:
    told, sizes = step["decider_objects"], step["decider_bytes"]
    if len(told) != 2 or sum(told) != 12 or not all(0 < n < 12 for n in told) or not all(sizes):
        sys.exit(f"step {step['step']}: the reserved PEs were told of {told} ranks in {sizes} bytes")
# Two PEs with 6 ranks of load 4 and 6 of load 1: 60 % until ranks move; a rank of load 4 too many on one of them is 20 %.
first = steps[0]
if abs(first["imbalance_before_percent"] - 60) > 0.01:
    sys.exit(f"the imbalance at the start is {first['imbalance_before_percent']} %, not 60 %")
if first["imbalance_after_percent"] > 20.01:
    sys.exit(f"the imbalance after the first step is {first['imbalance_after_percent']} %")
CHECK
  ((++tried))
done
if ((tried == 0)); then echo "this build has no library that partitions in parallel"; fi
