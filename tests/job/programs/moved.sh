#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# moved.sh SKEIN PES RANKS PROGRAM [ARGUMENTS...]: the program must print the same, and succeed, with its ranks where
# they started, moved at random by hand-over, moved by copy, and, if there are more than two on two PEs, while a third PE
# decides lazily; and ranks that can move must have moved.
set -euo pipefail
skein=$1 pes=$2 ranks=$3
shift 3
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-moved.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
processes=$pes moves=0

# run NAME OPTIONS... -- PROGRAM...
run() {
  local name=$1 status=0
  shift
  local options=()
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  "$skein" run -p "$processes" -n "$ranks" "${options[@]}" "$@" >"$name.out" 2>"$name.err" || status=$?
  if ((status != 0)); then
    echo "FAILED: $name: exit status $status" >&2
    tail -n 60 "$name.out" "$name.err" >&2
    exit 1
  fi
}

# moved NAME OPTIONS... -- PROGRAM...
moved() {
  local name=$1
  shift
  run "$name" --lb random --lb-period 1 --lb-report "$work/$name.report" "$@"
  if ! cmp unmoved.out "$name.out" >&2; then
    echo "FAILED: $name: the program printed something else than unmoved:" >&2
    tail -n 60 unmoved.out "$name.out" "$name.err" >&2
    exit 1
  fi
  if ((pes > 1)) && ! grep -q '"objects_moved":[1-9]' "$name.report"; then
    echo "FAILED: $name: no rank moved" >&2
    tail -n 20 "$name.err" "$name.report" >&2
    exit 1
  fi
  moves=$((moves + $({ grep -o '"objects_moved":[0-9]*' "$name.report" || true; } | awk -F: '{ sum += $2 } END { print sum + 0 }')))
}

run unmoved -- "$@"
if [[ ! -s unmoved.out ]]; then
  echo "FAILED: unmoved: the program printed nothing" >&2
  exit 1
fi
moved handed-over -- "$@"
if ((pes > 1)); then moved copied --arena private --seed 2 -- "$@"; fi
if ((pes == 2 && ranks > 2)); then
  processes=3
  moved lazy --lb-mode lazy:wait=always -- "$@"
fi
echo "$moves ranks moved"
