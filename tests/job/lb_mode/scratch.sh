# SPDX-License-Identifier: Apache-2.0
# Source this at the beginning of the tests of this folder: it makes a directory of the test's own, enters it, and
# defines how tests fail. A run's standard error is in run.err.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../waiting.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-lb-mode.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  local file
  echo "FAILED: $1" >&2
  # A job in the background, whose PEs may be stopped, ends with its test.
  [[ -z ${stopped:-} ]] || kill -CONT "$stopped" 2>/dev/null || true
  [[ -z ${job:-} ]] || kill "$job" 2>/dev/null || true
  for file in *.out *.err *.report; do [[ ! -e $file ]] || { echo "==> $file" && tail -n 60 "$file"; } >&2; done
  exit 1
}
says() { grep -qE "$1" run.err || fail "nothing on standard error like: $1"; }
says_not() { ! grep -qE "$1" run.err || fail "on standard error: $1"; }
