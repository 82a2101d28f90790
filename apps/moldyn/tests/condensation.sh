#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A dense cold gas falls into drops: bonds form, which lowers the potential energy, and the energy they release heats the atoms. A gas that
# only spread out would lose bonds and cool.
source "$(dirname "$0")/common.sh"

out=$(moldyn 2 --scenario condensation --cutoff 2.5 --box 36,18,18 --radius 7 --steps 1000 --report 200 --skein.lb=refine-comm --skein.lb-period=5)
echo "$out"
read -r t0 e0 <<<"$(awk '$1 == 0 { print $3, $5 }' <<<"$out")"
read -r t1 e1 <<<"$(awk '$1 == 1000 { print $3, $5 }' <<<"$out")"
awk "BEGIN { exit !($e1 < $e0 - 0.2 && $t1 > $t0) }" || fail "nothing has condensed"
