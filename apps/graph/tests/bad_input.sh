#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong is said, once, with the file and its line, and the exit status is not 0.
source "$(dirname "$0")/../../common/native_test.sh"

refused graph nonsense --nonsense
refused graph "not in" --mesh hexagons
refused graph "not in" --weights lead
refused graph "not in range" --steps 0
refused graph "requires --file" --positions "$work/none"
refused graph "magic" --advise 1 --strategy magic

# wrong TEXT LINE...: a graph file of these lines is refused with that text.
wrong() {
  printf '%s\n' "${@:2}" >"$work/bad.graph"
  refused graph "$work/bad.graph$1" --steps 1 --file "$work/bad.graph"
}
refused graph "$work/none.graph cannot be read" --file "$work/none.graph"
wrong ":2: the file has no line 'VERTICES EDGES" ""
wrong ":1: 'solid' is not the number of vertices; a graph file is one of METIS or Chaco" "solid cube"
wrong ":1: the line ends where the number of edges" "4"
wrong ":1: format 7 is none" "4 3 7"
wrong ":3: 'x' is not a neighbour" "3 2" "2" "1 x" "2"
wrong ":3: neighbour 9 of vertex 2 does not exist: vertices are counted from 1 to 3" "3 2" "2" "1 9" "2"
wrong ":3: neighbour 0 of vertex 2 does not exist" "3 2" "2" "0 1" "2"
wrong ":2: vertex 1 is its own neighbour" "2 1" "1" "1"
wrong ":4: the file ends after 2 of 3 vertices: it was cut short" "3 2" "2" "1 3"
wrong ":4: the lines name 4 neighbours, and the first one says 3 edges" "3 3" "2" "1 3" "2"
wrong ":4: vertex 1 has 2 as a neighbour, but not the other way round" "3 1" "2 3" "" ""
wrong ":3: a weight must be at least 0" "2 1 10" "1 2" "-1 1"
head -c 3000 "$programs/graph" >"$work/program"
refused graph "$work/program:1: " --file "$work/program"

# Where a program starts with that little address space: one with sanitizers does not.
if (ulimit -v 1500000 && start graph 1 --help) >/dev/null 2>&1; then
  (ulimit -v 1500000 && refused graph "the memory does not hold 100000000 vertices: each process has the whole graph" --vertices 100000000)
fi

printf '2 1\n2\n1\n' >"$work/good.graph"
printf '0 0\n' >"$work/bad.xyz"
refused graph "$work/bad.xyz:2: the file has positions of 1 vertices, and the graph has 2" --file "$work/good.graph" --positions "$work/bad.xyz"
refused graph "needs positions" --file "$work/good.graph" --weights gradient

[[ $(start graph 3 --file "$work/none.graph" 2>&1 | grep -c "cannot be read") == 1 ]] || fail "not told once"
[[ $(start graph 1 --help) == *"--decomposition"* ]] || fail "--help does not help"
refused_advice graph_ranks --advise 1
