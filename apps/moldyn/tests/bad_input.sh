#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong is said, by one PE, and the exit status is not 0.
source "$(dirname "$0")/common.sh"

# refused TEXT OPTION...
refused() {
  local text=$1 said status=0
  shift
  said=$(timeout 60 "$mpiexec" -n 2 "$programs/moldyn" "$@" 2>&1 >/dev/null) || status=$?
  if ((status == 0 || status == 124)); then fail "$*: status $status"; fi
  [[ $said == *"$text"* ]] || fail "$*: does not say '$text' but: $said"
}

refused --nonsense --nonsense
refused gas --scenario gas
refused "not in range" --time-step 1
refused --steps --steps many
refused "no room for 3 cells" --box 5,5,5
refused "less than the cutoff" --cell 2
refused "there are no atoms" --density 0 --outside 0
refused "use a larger --margin" --scenario liquid --box 10,10,10 --margin 0.01 --temperature 20 --cell 3
refused "cannot be written to /nonexistent/atoms" --scenario liquid --box 10,10,10 --steps 0 --cell 3 --write /nonexistent/atoms
[[ $(moldyn 2 --help) == *"--scenario"* ]] || fail "--help does not help"
