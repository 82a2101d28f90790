#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A strong explosion: its front agrees with Sedov's solution to 2 %, and nothing is lost.
source "$(dirname "$0")/common.sh"

samr 2 --problem sedov --cells 16,16,16 --levels 2 --radius 0.03 --end 0.1 --report 1000 --write "$work/cells" >"$work/out"
for kept in mass energy; do
  change=$(value "change of the $kept" <"$work/out")
  holds "$change < 1e-12 && $change > -1e-12" || fail "the $kept changes by $change"
done
ratio=$("$programs/check_blast" "$work/cells" | value 'radius to that of Sedov')
echo "radius of the front to that of Sedov: $ratio"
holds "$ratio > 0.98 && $ratio < 1.02" || fail "the front is elsewhere"
