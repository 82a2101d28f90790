#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# same_results.sh SKEIN PES RANKS "PROGRAM ARGUMENT..." MODE...: the program must print the same, and succeed, with its
# ranks where they started and moved at random in each of the modes; and no rank may ever be on a PE that only decides. PES
# is the number of PEs that compute, to which a mode adds its reserved PEs.
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/scratch.sh"
skein=$1 pes=$2 ranks=$3
read -ra program <<<"$4"
shift 4

"$skein" run -p "$pes" -n "$ranks" "${program[@]}" >unmoved.out 2>unmoved.err || fail "unmoved: exit status $?"
[[ -s unmoved.out ]] || fail "unmoved: the program printed nothing"
for mode in "$@"; do
  name=${mode//[^a-z0-9]/_}
  reserved=1
  [[ ! $mode =~ pes=([0-9]+) ]] || reserved=${BASH_REMATCH[1]}
  deciding=$reserved
  if [[ $mode == *thread* || $mode == decoupled || $mode == decoupled:pes* ]]; then reserved=0; fi
  "$skein" run -p $((pes + reserved)) -n "$ranks" --lb random --lb-period 1 --lb-mode "$mode" \
    --lb-report "$name.report" "${program[@]}" >"$name.out" 2>"$name.err" || fail "$mode: exit status $?"
  cmp unmoved.out "$name.out" >&2 || fail "$mode: the program printed something else than unmoved"
  grep -q "\"pes\":$pes,\"reserved_pes\":$reserved" "$name.report" || ((reserved == 0)) ||
    fail "$mode: the report counts other PEs than those that compute"
  if [[ $mode == decoupled* ]] && ((reserved == 0)); then
    grep -q "\"pes\":$pes,\"deciding_pes\":$deciding" "$name.report" || fail "$mode: the report does not say who decided"
  fi
  # A list of moves has [rank,from,to].
  for ((pe = pes; pe < pes + reserved; ++pe)); do
    if grep -o '"moves":[^"]*' "$name.report" | grep -qE "\[[0-9]+,([0-9]+,$pe|$pe,[0-9]+)\]"; then
      fail "$mode: a rank was on a reserved PE"
    fi
  done
  # If ranks wait for nothing, they may pass all sync points before the first decision arrives.
  if ((pes > 1)) && [[ $mode == decoupled* || $mode == *wait=[1-9]* || $mode == *wait=always* ]]; then
    grep -q '"objects_moved":[1-9]' "$name.report" || fail "$mode: no rank moved"
  fi
done
