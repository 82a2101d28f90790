#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# stopped.sh MPIEXEC PAUSING SLOW: a reserved PE of a native program is stopped (SIGSTOP). Elements of a lazy job go on, and that
# is told, until the PE goes on; without it nobody can say that the job is at rest, and that is told, too. Those that
# stopped for a step wait; with silent=end the job ends at once. SLOW has a strategy that never answers, so that no element
# stops for a decision (slow.cpp).
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../waiting.sh"
mpiexec=$1 pausing=$2 slow=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-native-stopped.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $1" >&2
  sed 's/^/    /' run.out run.err >&2
  exit 1
}
# begin MODE STRATEGY: until no element is at a sync point; then PE 2 is stopped, and elements go on.
begin() {
  mark=$1
  rm -f ready go passed over
  JOB_TEST_MARK=$work/$mark "$mpiexec" -n 3 "$pausing" --skein.lb="$2" --skein.lb-period=1 --skein.lb-mode="$1" >run.out 2>run.err &
  job=$!
  wait_for '[[ -e ready ]] || ! kill -0 "$job" 2>/dev/null' && [[ -e ready ]] || fail "$mark: the elements have not come to their fourth step"
  stop_pe 2
  touch go
}
says() { wait_for "grep -qE '$1' run.err" || fail "$mark: nothing on standard error like: $1"; }

for mode in lazy:patience=1 lazy:wait=always,patience=1 lazy:wait=2,patience=1; do
  begin "$mode" "$slow:mute"
  wait_for '[[ -e passed ]]' || fail "$mark: elements have not gone on"
  says 'PE 2, which only decides, has not answered for .*: the job goes on as it is, and nobody waits .*lazy:patience=, silent='
  kill -CONT "$stopped"
  says 'all PEs that only decide answer again'
  touch over
  ends_with 0
  grep -q '^passed$' run.out || fail "$mark: the program has not come to its end"
done

begin lazy:patience=1 "$slow:mute"
wait_for '[[ -e passed ]]' || fail "$mark: elements have not gone on"
touch over
ends_with 1
says 'PE 0 has had nothing to do since, .*: it ends \(--lb-mode lazy:patience=\)'
grep -q '^passed$' run.out || fail "$mark: the program has not come to its end"

begin decoupled:patience=1 random
ends_with 1
says 'PE 2, which only decides, has not answered for .* decoupled:patience=, silent='
says 'PE 0 has had nothing to do since, .*elements are at a sync point: it ends \(--lb-mode decoupled:patience=\)'

for mode in decoupled:patience=1,silent=end lazy:wait=always,patience=1,silent=end; do
  begin "$mode" random
  ends_with 1
  says 'PE 2, which only decides, has not answered for .*: the job ends'
done
