# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of the native programs here, which are called with FOLDER and MPIEXEC, the folder of the programs, and some with the skein command.
set -euo pipefail
programs=$1 mpiexec=$2 skein=${3-}
source "$(dirname "${BASH_SOURCE[0]}")/../../tests/failing_job.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# start PROGRAM PES OPTION...
start() {
  local program=$1 pes=$2
  shift 2
  "$mpiexec" -n "$pes" "$programs/$program" "$@"
}

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# value 'text before it': what stands behind that text in standard input.
value() { sed -n "s/^$1: *\([^ ]*\).*/\1/p"; }

# refused PROGRAM TEXT OPTION...: it ends with another status than 0 and says the text on standard error.
refused() {
  local program=$1 text=$2 said status=0
  shift 2
  said=$(run_failing "$mpiexec" -n 2 "$programs/$program" "$@" 2>&1 >/dev/null) || status=$?
  if ((status == 0 || status == 124)); then fail "$*: status $status"; fi
  [[ $said == *"$text"* ]] || fail "$*: does not say '$text' but: $said"
}
# refused_advice PROGRAM OPTION...: as virtual ranks, where it was built for them.
refused_advice() {
  [[ -e $programs/$1 ]] || return 0
  local status=0 said
  said=$("$skein" run -p 2 "$programs/$1" "${@:2}" 2>&1 >/dev/null) || status=$?
  if ((status == 0)) || [[ $said != *"without Skein's advisor"* ]]; then fail "advice for virtual ranks: status $status, $said"; fi
}
# holds EXPRESSION: of numbers, as awk has it.
holds() { awk "BEGIN { exit !($1) }"; }
