#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An eighth of a sphere collapses without pressure, as fast as in theory to 2 %: gas on three levels, and particles. Mass is
# kept.
source "$(dirname "$0")/common.sh"

# falls cells|particles OPTION...
falls() {
  local kind=$1 mass mean write=--write
  shift
  if [[ $kind == particles ]]; then write=--write-particles; fi
  samr 2 --problem collapse --cells 16,16,16 --report 1000 $write "$work/$kind" "$@" >"$work/out"
  mass=$(value 'change of the mass' <"$work/out")
  holds "$mass < 1e-12 && $mass > -1e-12" || fail "$*: the mass changes by $mass"
  mean=$(awk '$1 == 0 { print $5 }' "$work/out")
  "$programs/check_collapse" "$kind" "$work/$kind" "$mean" >"$work/found"
  ratio=$(value 'time to that in theory' <"$work/found")
  echo "$*: radius $(value radius <"$work/found"), time to that in theory $ratio; $(grep cycles "$work/out")"
  holds "$ratio > 0.98 && $ratio < 1.02" || fail "it falls too fast or too slowly"
}

falls cells --levels 3 --end 1.6
falls particles --levels 1 --gas-share 0.000001 --end 1.6
