#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where a scenario says so, numbers below 1e-38 stay what they are, and results do not depend on ranks or skipping.
. "$(dirname "$0")/common.sh"
sed 's/floor=1e-10/subnormals=1/' "$here/small.txt" >"$work/kept.txt"
sed 's/ floor=1e-10//' "$here/small.txt" >"$work/zero.txt"
# subnormals DIRECTORY: how many lines of its seismograms have such a number.
subnormals() { cat "$1"/*.txt | awk '!/^#/ { for (i = 2; i <= NF; ++i) if ($i != 0 && $i < 1.1e-38 && $i > -1.1e-38) { ++n; next } } END { print n + 0 }'; }
seismic 1 --output "$work/zero" "$work/zero.txt"
seismic 1 --output "$work/one" "$work/kept.txt"
[ "$(subnormals "$work/zero")" = 0 ] || fail "numbers below 1e-38 are kept by default"
[ "$(subnormals "$work/one")" != 0 ] || fail "no numbers below 1e-38 are kept"
seismic 6 --dims 2x3 --no-skip --output "$work/six" "$work/kept.txt"
diff -rq "$work/one" "$work/six" || fail "six ranks differ from one"
