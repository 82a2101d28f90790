#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The states of all elements are the same on any number of processes, however elements are placed and moved, with the
# advisor and as virtual ranks. Called with the skein command behind the usual arguments.
source "$(dirname "$0")/../../common/native_test.sh"
skein=$3

run=(--vertices 1200 --steps 12 --step-ms 0.2)
# same WHAT COMMAND...: the fingerprint of one process.
same() {
  "${@:2}" "${run[@]}" >"$work/out" 2>"$work/stderr" || { cat "$work/out" "$work/stderr"; fail "$1: it failed"; }
  [[ $(value fingerprint <"$work/out") == "$alone" ]] || { cat "$work/out"; fail "$1: other states than on one process"; }
}
alone=$(start graph 1 "${run[@]}" | value fingerprint)
[[ $alone =~ ^[0-9a-f]{16}$ ]] || fail "there is no fingerprint"
[[ $(start graph 1 "${run[@]}" --seed 2 | value fingerprint) == "$alone" ]] || fail "states depend on weights"
[[ $(start graph 1 "${run[@]}" --steps 11 | value fingerprint) != "$alone" ]] || fail "the fingerprint shows no difference"

for decomposition in boxes blocks skewed near far scattered; do
  same "4 processes, $decomposition" start graph 4 --decomposition $decomposition --skew 0.8
done
for strategy in rotate random koradi:every_step diffusion:every_step; do
  same "3 processes, $strategy" start graph 3 --advise 1 --horizon 1e6 --strategy $strategy --weights halves
done
same "waiting" start graph 5 --wait --advise 3 --element-bytes 0

# A graph from a file is the one it was written from: a path of four, and a triangle with weights.
printf '%% a path\n4 3\n2\n1 3\n2 4\n3\n' >"$work/path.graph"
printf '3 3 11\n2.5 2 1 3 1\n1 1 1 3 1\n1 1 1 2 1\n' >"$work/triangle.graph"
for file in path triangle; do
  alone=$(start graph 1 "${run[@]}" --weights even --file "$work/$file.graph" | value fingerprint)
  same "$file" start graph 2 --weights even --file "$work/$file.graph"
  same "$file, more processes than elements" start graph 5 --weights even --file "$work/$file.graph"
done
start graph 1 "${run[@]}" --file "$work/path.graph" --weights even | grep -q '^4 vertices, 3 edges' || fail "the path has other numbers"
# The triangle's weights: 2.5 of 4.5 on the first of 3 processes.
start graph 3 "${run[@]}" --file "$work/triangle.graph" | grep -q 'imbalance of the weights 66.7 %' || fail "its weights are lost"

if [[ -e $programs/graph_ranks ]]; then
  alone=$(start graph 1 "${run[@]}" | value fingerprint)
  for ranks in 1 6; do
    same "$ranks ranks moved at random" "$skein" run -p 2 -n $ranks --lb random --lb-period 1 "$programs/graph_ranks" --migrate 2
    ((ranks == 1)) || grep -q 'LB moved [1-9]' "$work/stderr" || { cat "$work/stderr"; fail "no rank was moved"; }
  done
fi
