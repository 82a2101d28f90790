#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The scenarios are what they are said to be. Plummer's sphere of mass 1 and energy -1/4 has scale length a = 3 pi / 16, its
# half-mass radius is a / sqrt(2^(2/3) - 1), and it stays so.
source "$(dirname "$0")/common.sh"

# within WHAT VALUE EXPECTED TOLERANCE
within() {
  echo "$1: $2, expected $3 within $4"
  holds "$2 > $3 - $4 && $2 < $3 + $4" || fail "$1 is $2, not $3"
}
half_mass_radius() { "$programs/check_direct" "$work/bodies" | value 'half-mass radius'; }
expected=$(awk 'BEGIN { pi = atan2(0, -1); print 3 * pi / 16 / sqrt(2 ^ (2 / 3) - 1) }')

# Of a sample of N bodies the median radius is uncertain by 1 / (2 sqrt(N) f), f = 0.4254 / a the share of bodies in a unit of
# radius there: 0.0077. Kinetic and potential energies: by about 1 / sqrt(N) of them. Three times that is allowed.
barneshut 2 --bodies 8000 --softening 0.001 --steps 0 --write "$work/bodies" >"$work/out"
within "half-mass radius" "$(half_mass_radius)" "$expected" 0.023
read -r kinetic potential <<<"$(awk '$1 == 0 { print $3, $4 }' "$work/out")"
within "kinetic energy" "$kinetic" 0.25 0.0085
within "potential energy" "$potential" -0.5 0.017

# Two crossing times of 2 sqrt(2) later. Of 1000 bodies the radius is uncertain by 0.022, at both times.
barneshut 2 --bodies 1000 --steps 280 --time-step 0.02 --report 280 --write "$work/bodies" >/dev/null
within "half-mass radius later" "$(half_mass_radius)" "$expected" 0.09

# Before they meet, the clusters go as two masses on a parabola: dr/dt = -sqrt(2 / r - 2 q / r^2), q the pericentre. That they
# are 3.5 apart and of size 0.6 makes their attraction less by 5 % in the end. Of the 1000 bodies 750 are the
# first cluster.
barneshut 2 --bodies 1000 --scenario collision --time-step 0.04 --steps 100 --report 100 --write "$work/bodies" >/dev/null
apart=$(awk 'NR > 2 { k = $1 < 750; n[k]++; x[k] += $3; y[k] += $4; z[k] += $5 }
             END { for (k in n) { x[k] /= n[k]; y[k] /= n[k]; z[k] /= n[k] }
                   print sqrt((x[0] - x[1]) ^ 2 + (y[0] - y[1]) ^ 2 + (z[0] - z[1]) ^ 2) }' "$work/bodies")
on_parabola=$(awk 'BEGIN { r = 6; for (t = 0; t < 4; t += 1e-4) r -= 1e-4 * sqrt(2 / r - 1 / r ^ 2); print r }')
within "distance of the clusters" "$apart" "$on_parabola" 0.05
