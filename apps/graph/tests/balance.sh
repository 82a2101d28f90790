#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each kind of imbalance is there at first, and what the advisor says takes it away: in weights, which do not depend on how
# busy the machine is. Global at the first step, diffusive at every one.
source "$(dirname "$0")/../../common/native_test.sh"

# of RUN...: sets `first` and `last`, percent imbalance of the weights.
of() {
  "$mpiexec" -n 4 "$programs/graph" --vertices 4096 --mesh mesh3d --step-ms 4 --wait --no-edges "$@" >"$work/out" 2>&1 ||
    { cat "$work/out"; fail "$*: it failed"; }
  first=$(sed -n 's/.*imbalance of the weights \(.*\) %/\1/p' "$work/out")
  last=$(sed -n 's/^imbalance at the end: \(.*\) %/\1/p' "$work/out")
  echo "$*: $first -> $last %"
}

# Slabs of a cube with twice the weight on one half; boxes of equal numbers; a process with 1.5 times what it should have.
of --steps 2 --weights halves --contrast 1 --decomposition blocks && holds "$first < 1" || fail "blocks are cut along the halves"
of --steps 2 --weights gradient --contrast 3 --decomposition boxes && holds "$first > 20" || fail "a gradient is uneven"
of --steps 2 --weights even --decomposition boxes && holds "$first < 0.1" || fail "boxes are even"
for decomposition in near far; do
  of --steps 2 --weights even --decomposition $decomposition --skew 0.5
  holds "$first > 49 && $first < 51" || fail "$decomposition: one process has half too much"
done

of --steps 8 --weights hotspot --decomposition boxes --advise 1 --once --strategy rcb --horizon 1e6
holds "$last < $first / 4" || { cat "$work/out"; fail "rcb at the first step leaves $last %"; }
for strategy in koradi:every_step diffusion:every_step; do
  # So long a step that a decision at each is worth what it takes, on a busy machine, too.
  of --steps 20 --weights hotspot --decomposition boxes --advise 1 --strategy $strategy --horizon 1e6 --step-ms 250
  holds "$last < $first / 3" || { cat "$work/out"; fail "$strategy leaves $last %"; }
  of --steps 2 --weights hotspot --decomposition boxes --advise 1 --strategy $strategy --horizon 1e6 --step-ms 250
  holds "$last > 2" || { cat "$work/out"; fail "$strategy levels at once"; }
done
