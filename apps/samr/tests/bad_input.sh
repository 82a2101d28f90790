#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong is said, and the exit status is not 0.
source "$(dirname "$0")/common.sh"

# refused TEXT OPTION...
refused() {
  local text=$1 said status=0
  shift
  said=$(timeout 60 "$mpiexec" -n 2 "$programs/samr" "$@" 2>&1 >/dev/null) || status=$?
  if ((status == 0 || status == 124)); then fail "$*: status $status"; fi
  [[ $said == *"$text"* ]] || fail "$*: does not say '$text' but: $said"
}

refused --nonsense --nonsense
refused tube --scenario tube
refused "is odd" --cells 9
refused "more than a block" --cells 4 --adapt 100
refused --levels --levels 0
refused --roots --roots 3
refused "cannot be written to /nonexistent/cells" --steps 1 --levels 1 --write /nonexistent/cells
[[ $(samr 2 --help) == *"--scenario"* ]] || fail "--help does not help"
