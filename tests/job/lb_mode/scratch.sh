# SPDX-License-Identifier: Apache-2.0
# What the tests of this folder begin with, to be sourced: a directory of their own, in which they are from there on, and
# how they fail. What a run of theirs says is in run.err.
set -euo pipefail
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-lb-mode.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  local file
  echo "FAILED: $1" >&2
  for file in *.out *.err *.report; do [[ ! -e $file ]] || { echo "==> $file" && tail -n 60 "$file"; } >&2; done
  exit 1
}
says() { grep -qE "$1" run.err || fail "nothing on standard error like: $1"; }
says_not() { ! grep -qE "$1" run.err || fail "on standard error: $1"; }

# wait_for COMMAND: until it succeeds; fails after a minute.
wait_for() {
  local tries
  for ((tries = 0; tries < 600; ++tries)); do
    ! eval "$1" || return 0
    sleep 0.1
  done
  return 1
}

# pid_of_pe PE: the process of that PE of the job that was begun with LB_MODE_TEST_MARK=$work/$mark.
pid_of_pe() {
  local environment
  for environment in $(grep -lsz "^LB_MODE_TEST_MARK=$work/$mark$" /proc/[0-9]*/environ); do
    ! tr '\0' '\n' <"$environment" 2>/dev/null | grep -qE "^(OMPI_COMM_WORLD_RANK|PMI_RANK)=$1$" || basename "${environment%/environ}"
  done | head -n 1
}
