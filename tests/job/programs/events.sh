#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# events.sh SKEIN PROGRAM: the counts of --papi for each rank of `events` are reported at the end, and go along when
# ranks move. Rank r of 4 computes for 10 (r + 1) ms: 100 ms in all, 10 at least, 40 at most.
set -euo pipefail
skein=$1 program=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-events.XXXXXX")
trap 'rm -rf "$work"' EXIT

if ! "$skein" info | grep -q '^events .*perf::TASK-CLOCK'; then
  echo "not tested: perf::TASK-CLOCK is not counted here"
  exit 77
fi
for options in "-p 1" "-p 2" "-p 2 --lb random --lb-period 1"; do
  # shellcheck disable=SC2086
  "$skein" run -n 4 $options --papi perf::TASK-CLOCK "$program" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
  read -r all least least_rank most most_rank < <(sed -nE \
    's/^\[0\] perf::TASK-CLOCK: ([0-9]+) in all ranks, from ([0-9]+) in rank ([0-9]+) to ([0-9]+) in rank ([0-9]+)$/\1 \2 \3 \4 \5/p' \
    "$work/err") || { echo "FAILED: $options: nothing told" >&2; cat "$work/err" >&2; exit 1; }
  if ((all < 100000000 || least < 10000000 || most < 40000000 || least_rank != 0 || most_rank != 3 || all > 1000000000)); then
    echo "FAILED: $options: $(cat "$work/err")" >&2
    exit 1
  fi
done
