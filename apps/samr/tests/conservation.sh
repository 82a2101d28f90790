#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# In a closed box mass and energy stay the same to rounding, while blocks are refined, made coarser and meet others of
# another level.
source "$(dirname "$0")/common.sh"

out=$(samr 2 --scenario blobs --levels 4 --cells 8 --steps 200 --report 20)
echo "$out"
for what in mass energy; do
  change=$(value "change of the $what" <<<"$out")
  awk "BEGIN { exit !(($change < 0 ? -($change) : $change) < 1e-13) }" || fail "the $what is not conserved: $change"
done
blocks=$(awk '$1 ~ /^[0-9]+$/ { print $3 }' <<<"$out" | sort -un | wc -l)
((blocks >= 3)) || fail "the mesh did not adapt"
