#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sections and the advisor's advice balance the stresses that are computed, which do not depend on how busy the machine is.
# The calipers' file has a line for each process and interval, and all of what calipers have is in what was worked.
source "$(dirname "$0")/common.sh"

imbalance() { sed -n 's/^stresses: .*imbalance \(.*\) %/\1/p' "$work/out"; }
# Within so many steps whatever deciding and moving take on a busy machine pays for itself.
balance=(--sources 40 --steps 40 --balance 4 --calipers evaluations --horizon 100000)
start dislocations 4 "${balance[@]}" --partition none >"$work/out"
plain=$(imbalance)
for partition in sections advisor; do
  start dislocations 4 "${balance[@]}" --partition "$partition" --loads "$work/loads" >"$work/out"
  echo "none: $plain %, $partition: $(imbalance) %"
  holds "$(imbalance) < $plain / 2" || { cat "$work/out"; fail "$partition leaves more than half of the imbalance"; }
  [[ $(tail -n +2 "$work/loads" | wc -l) == 40 ]] || fail "not a line for each process and interval"
  awk -F, 'NR > 1 && !($3 >= 0 && $4 >= 0 && $5 >= $4 + $6 + $7) { exit 1 }' "$work/loads" || fail "calipers have more than was worked"
done
grep -q '^advice: [^n].*rank correlation' "$work/out" || fail "nothing was advised"
