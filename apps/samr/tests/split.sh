#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Three grids of equal cost are on two PEs, which cannot share whole grids better than two to one: move-split cuts one of them.
source "$(dirname "$0")/common.sh"

tube=(--problem sod --cells 48,16,16 --levels 1 --greatest 16 --steps 4)
alone=$(samr 1 "${tube[@]}" | value fingerprint)
out=$(samr 2 "${tube[@]}" --skein.lb=move-split --skein.lb-period=1)
[[ $(value fingerprint <<<"$out") == "$alone" ]] || fail "others"
[[ $out =~ "parts of divided ones: 1" ]] || fail "no grid was split: $out"
