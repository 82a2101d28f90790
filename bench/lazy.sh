#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/lazy.sh [BUILD]: the cost of lazy balancing for the PEs that compute, beside its bounds. BUILD is a build directory
# (default: build). Exit status 1 if a bound is missed, 2 if the table cannot be made.
#
# A third PE decides, on a machine for which two are enough: if three share two cores the elapsed time says nothing about the
# PEs that compute, so the table compares their processor time alone, up to when the last of their ranks is done. The time to
# apply a decision is compared with an inline step of as many PEs.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/table.sh"
usage='[BUILD]'
use_build "$@"
bench=$build/bench/lazy
rounds=${rounds-7}
work_ms=${work_ms-20}

# processor PES OPTION...: the processor time of the PEs that compute, s. Uses `amount` and `points`.
processor() {
  local pes=$1
  shift
  "$skein" run -p "$pes" -n 32 "$@" "$bench/points" "$amount" "$points" | sed -n 's/^processor //p'
}

# moving_us OPTION...: the median time that an LB step takes to move 32 ranks, us.
moving_us() {
  "$skein" run -n 32 --lb "$bench/lazy_strategies.so:shift" "$@" --lb-report "$work/report.json" "$bench/points" 2000 400 >"$work/out"
  python3 - "$work/report.json" <<'END'
import json, statistics, sys
steps = [json.loads(line) for line in open(sys.argv[1])]
print(1e6 * statistics.median(step["move_s"] for step in steps if step.get("objects_moved", 0) == 32))
END
}

# The work of a point that takes a rank work_ms/16 ms: 16 of them are on a PE.
points=20 amount=1000000
amount=$(awk "BEGIN { printf \"%.0f\", 1000000 * $work_ms / 16 / (1000 * $(processor 2) / 32 / $points) }")
points=$((8000 / work_ms))
for ((round = 0; round < rounds; ++round)); do
  none=$(processor 2)
  busy=$(processor 3 --lb "$bench/lazy_strategies.so:busy" --lb-mode lazy)
  awk "BEGIN { print $busy / $none }"
done >"$work/lost"

points=100000 amount=0
for ((round = 0; round < rounds; ++round)); do
  none=$(processor 2)
  asking=$(processor 3 --lb "$bench/lazy_strategies.so:busy:ms=0" --lb-mode lazy --lb-period 1)
  passing=$(processor 3 --lb "$bench/lazy_strategies.so:busy:ms=0" --lb-mode lazy --lb-period 1000)
  awk "BEGIN { print 1e6 * ($asking - $none) / 32 / $points }" >>"$work/asking"
  awk "BEGIN { print 1e6 * ($passing - $none) / 32 / $points }" >>"$work/passing"
done

for ((round = 0; round < rounds; ++round)); do
  late=$(moving_us -p 3 --lb-mode lazy:wait=1)
  awk "BEGIN { print $late / $(moving_us -p 3) }"
done >"$work/applying"

# bounded NAME UNIT BOUND FIGURES: the median of the file of figures beside its bound.
bounded() {
  local ours
  ours=$(median <"$work/$4")
  judge "$ours" "$3"
  printf '%-56s %9s %-3s at most %5s  %s\n' "$1" "$(compute "$ours")" "$2" "$3" "$verdict"
}
bounded 'processor time while a strategy of 1 s works' x 1.01 lost
bounded 'sync point that is passed, 16 ranks a PE, a rank' us 1 passing
bounded 'sync point at which loads are left, a rank' us 1 asking
bounded 'applying a late decision, against inline' x 1 applying
((missed == 0))
