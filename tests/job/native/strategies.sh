#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# strategies.sh MPIEXEC SKEIN PROGRAM...: the programs, which check their own results, in turn under each strategy that
# `skein` knows, on 2 and 3 PEs. A strategy whose library this build lacks says so.
set -uo pipefail
mpiexec=$1 skein=$2
shift 2
failed=0
# The message about an unknown strategy lists the valid ones.
valid=$("$skein" run --lb unknown true 2>&1 | sed -n 's/.*valid: \(.*\) (--lb.*/\1/p')
IFS=', ' read -ra strategies <<<"$valid"

# try PES PROGRAM OPTION...
try() {
  local said
  said=$(timeout 60 "$mpiexec" -n "$1" "$2" "${@:3}" 2>&1)
  if [[ $? -ne 0 || $said != *passed* ]] && [[ $said != *"which this build lacks"* ]]; then
    printf '%s\n%s\n' "$*" "$said"
    failed=1
  fi
}

if ((${#strategies[@]} < 20)); then
  echo "only these strategies: ${strategies[*]}"
  failed=1
fi
programs=("$@") turn=0
for strategy in "${strategies[@]}"; do
  [[ $strategy == none || $strategy == offline ]] && continue  # offline needs a file of placements
  try $((2 + ${#strategy} % 2)) "${programs[turn++ % $#]}" --skein.lb="$strategy" --skein.lb-period=1
done
for options in --skein.lb=auto '--skein.lb=auto --skein.lb-period=auto' '--skein.lb=refine --skein.lb-period=auto' \
  '--skein.lb=random --skein.lb-memory=1M' '--skein.lb=rotate --skein.lb-period=2' \
  '--skein.lb=rotate --skein.lb-period=0.001s' '--skein.lb=greedy --skein.lb-model=linear --skein.lb-period=1'; do
  for program in "$@"; do
    # shellcheck disable=SC2086 # words
    try $((2 + turn++ / 2 % 2)) "$program" $options
  done
done
exit $failed
