#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every file of results is bitwise the same whatever the ranks, the cuts, and whether quiet tiles are skipped.
. "$(dirname "$0")/common.sh"
seismic 1 --output "$work/one" "$here/small.txt"
same() {
  local name=$1
  shift
  seismic "$@" --output "$work/$name" "$here/small.txt" | tee "$work/log"
  diff -rq "$work/one" "$work/$name" || fail "$name differs from one rank"
}
same all-tiles 2 --no-skip
grep -q '^cells updated: 100.0 %' "$work/log" || fail "--no-skip skips"
same two 2
if grep -q '^cells updated: 100.0 %' "$work/log"; then fail "nothing is skipped"; fi
same three 3
same seven 7 --dims 7x1
same eight 8
same twelve 12 --dims 3x4 --migrate 5
[ "$(ls "$work/one")" = "$(printf 'basin.txt\nburied.txt\npgv.pgm\nrock.txt')" ] || fail "files are missing"
seismic 1 --output "$work/short" --steps 20 "$here/small.txt"
if diff -q "$work/one/basin.txt" "$work/short/basin.txt"; then fail "diff sees no difference"; fi
