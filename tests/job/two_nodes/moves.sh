#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# moves.sh SKEIN MPIEXEC PROGRAM [ARGUMENT...]: on two nodes, with ranks that move inside a node by hand-over and between
# nodes by copy, the program prints the same as on one PE. PERIOD in the environment: the period of the LB steps, instead of
# every sync point; RANKS: the number of ranks, instead of two a PE.
set -euo pipefail
skein=$1 mpirun=$2 period=${PERIOD:-1}
shift 2
program=("$@")
source "$(dirname "$0")/nodes.sh"
make_nodes
cd "$scratch"

fail() {
  echo "FAILED: $*" >&2
  tail -n 40 ./*.out ./*.err >&2
  exit 1
}

# moved NAME OPTION...: leaves NAME.report.
moved() {
  local name=$1
  shift
  job -n "${RANKS:-8}" "$@" --lb-period "$period" --lb-report "$scratch/$name.report" "${program[@]}" >"$name.out" 2>"$name.err" ||
    fail "$name: exit status $?"
  wait_until_gone 10 || fail "$name: processes are left"
  cmp unmoved.out "$name.out" >&2 || fail "$name: the program printed something else than unmoved"
}

# happened NAME FIELD: the report's FIELD is above zero in some step.
happened() { grep -q "\"$2\":[1-9]" "$1.report" || fail "$1: $2 is zero in all steps"; }

in_node 1 "$skein" run -p 1 -n "${RANKS:-8}" "${program[@]}" >unmoved.out 2>unmoved.err || fail "unmoved: exit status $?"
[[ -s unmoved.out ]] || fail "unmoved: the program printed nothing"

# With every rotation half of the ranks change node.
moved rotated --lb rotate
happened rotated bytes_handed_over
happened rotated bytes_copied

moved shuffled-private --lb random --seed 2 --arena private
happened shuffled-private bytes_copied
