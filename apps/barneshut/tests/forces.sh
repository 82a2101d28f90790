#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Accelerations are those of a direct sum over all pairs, as far as the opening angle lets them be.
#
# Without cells (theta 0) but for rounding: a sum of N terms of 16 digits, in no favourable order, to N * 1e-16.
#
# With cells: errors of about 1 % are what the method is used with (Barnes & Hut, Nature 324, 1986; Hernquist, ApJS 64,
# 1987). A cell seen at an angle theta is wrong by theta^2 of its attraction if its quadrupole is left out, by theta^3 if
# its octupole is. Cells are some theta^-3 in each doubling of the distance, each with theta^3 of the mass. So errors go as
# that power of theta if those of all cells add up, and as theta^1.5 times it if they are independent (Barnes & Hut, ApJS
# 70, 1989): powers 2 to 3.5 for monopoles, 3 to 4.5 for quadrupoles.
source "$(dirname "$0")/common.sh"

# errors NAME OPTION...: of a sphere whose accelerations are written to NAME.
errors() {
  barneshut "${processes:-2}" --bodies 4000 --steps "${steps:-0}" "${@:2}" --write "$work/$1" >/dev/null
  "$programs/check_direct" "$work/$1"
}
relative() { errors "$@" | tee "$work/errors" | value relative; }

exact=$(relative exact --theta 0)
echo "theta 0: $exact"
holds "$exact < 4000 * 1e-16" || fail "theta 0 is no direct sum"

for multipole in monopole quadrupole; do
  for theta in 0.35 0.5 0.7 1; do
    error=$(relative "$multipole.$theta" --multipole "$multipole" --theta "$theta")
    echo "$multipole, theta $theta: $error"
    declare "${multipole}_${theta/./}=$error"
  done
done
holds "$monopole_07 < 0.01 && $monopole_07 > 0.002" || fail "monopoles at theta 0.7: not about 1 %"
holds "$quadrupole_07 < 0.005 && $quadrupole_1 < 0.02 && $monopole_1 < 0.03" || fail "errors at theta 0.7 or 1 are too large"
# power A B: of theta, from errors at half and whole theta.
power() { awk "BEGIN { print log($2 / $1) / log(2) }"; }
monopole=$(power "$monopole_035" "$monopole_07") quadrupole=$(power "$quadrupole_035" "$quadrupole_07")
echo "powers of theta: $monopole, $quadrupole"
holds "$monopole > 2 && $monopole < 3.5" || fail "errors of monopoles go as theta^$monopole"
holds "$quadrupole > 3 && $quadrupole < 4.5" || fail "errors of quadrupoles go as theta^$quadrupole"

# Two clusters whose bodies have moved between processes, pieces cut anew.
processes=4 steps=40 relative later --scenario collision --balance 3 --partition orb --time-step 0.02
holds "$(value relative <"$work/errors") < 0.005 && $(value potential <"$work/errors") < 0.001" || fail "forces are wrong later"

# The check itself: one wrong acceleration is found.
awk 'NR == 10 { $10 = $10 + 1e-3 } { print }' "$work/exact" >"$work/wrong"
holds "$("$programs/check_direct" "$work/wrong" | value relative) > 1e-6" || fail "check_direct finds no wrong acceleration"
