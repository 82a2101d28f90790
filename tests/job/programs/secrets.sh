#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# secrets.sh SKEIN PROGRAM: stack canary and pointer guard are equal for all ranks of a job, on both PEs, and differ in
# the next job; the canary's lowest byte is 0. PROGRAM is tests/programs/secrets.c.
set -euo pipefail
skein=$1 program=$2
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# job: prints the words of the four ranks of a job, if all printed the same.
job() {
  local said
  said=$("$skein" run -p 2 -n 4 "$program" | sort | uniq -c)
  [[ $said =~ ^\ *4\ ([0-9a-f]{14}00)\ ([0-9a-f]{16})$ ]] || fail "not one canary that ends in 00: $said"
  echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
}

first=$(job)
second=$(job)
[[ ${first% *} != "${second% *}" ]] || fail "two jobs have the canary ${first% *}"
[[ ${first#* } != "${second#* }" ]] || fail "two jobs have the pointer guard ${first#* }"
