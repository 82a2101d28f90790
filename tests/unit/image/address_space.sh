#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Usage: address_space.sh REPORT WITHOUT_PERSONALITY
# Checks that several starts agree on all addresses, by either method and under an unlimited stack, which moves
# libraries. (Where the system itself forbids personality(), both ways use skein-boot.)
set -eu
report=$1 without=$2

agree() { # METHOD[|METHOD] COMMAND...: the command is run three times, once with an unlimited stack
  expected=$1
  shift
  first=$("$@")
  second=$("$@")
  third=$(ulimit -s unlimited 2>/dev/null || echo "the stack limit cannot be raised here" >&2; "$@")
  echo "$first"
  [ "$first" = "$second" ] && [ "$first" = "$third" ] || { echo "differs: $second | $third"; exit 1; }
  echo "$first" | grep -Eq "^($expected) " || { echo "expected $expected"; exit 1; }
}

# The addresses of a process under a debugger or setarch -R are fixed already; then the report says so.
if [ "$(cat /proc/sys/kernel/randomize_va_space)" = 0 ] || [ "$(cat /proc/self/personality)" != 00000000 ]; then
  "$report"
  exit 0
fi
agree "personality|boot" "$report"
agree boot "$without" "$report"
