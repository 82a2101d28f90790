#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slow.sh SKEIN PROGRAM LIBRARY: strategies that are slow, or never answer, neither stop a lazy job nor change what it
# says; whoever wants it to end then gets that.
set -euo pipefail
skein=$1 program=$2 library=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-slow.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $1" >&2
  tail -n 40 ./*.out ./*.err >&2
  exit 1
}

# run STATUS MODE STRATEGY
run() {
  local status=0
  timeout 60 "$skein" run -p 3 -n 6 --lb "$library:$3" --lb-period 2 --lb-mode "$2" "$program" 30 >run.out 2>run.err ||
    status=$?
  if (((status == 0) != ($1 == 0) || status == 124)); then fail "$2 $3: exit status $status"; fi
  (($1 != 0)) || cmp unmoved.out run.out >&2 || fail "$2 $3: the program printed something else than unmoved"
}
says() { grep -qE "$1" run.err || fail "nothing on standard error like: $1"; }

"$skein" run -p 2 -n 6 "$program" 30 >unmoved.out 2>unmoved.err || fail "unmoved: exit status $?"

# Whoever waits gets the answer, however slow; and nobody else waits for it, not even the job's end.
run 0 lazy:wait=always sleepy:ms=5
says 'LB lazy: [1-9][0-9]* decisions came 0.0 sync points'
run 0 lazy sleepy:ms=100000
run 0 lazy:thread sleepy:ms=100000
run 0 lazy mute

# Whoever waits does not do so for ever.
run 0 lazy:wait=always,patience=0.1 mute
says 'the LB strategy decides about sync point 2 since .* the job goes on as it is'
run 1 lazy:wait=always,patience=0.1,silent=end mute
says 'the LB strategy decides about sync point 2 since .* the job ends'
