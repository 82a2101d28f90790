#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GDB attaches to a job and shows the calls of a rank that has moved, back to main, and the rank's own value of a global.
#
#   attach.sh SKEIN PROGRAM_SOURCE GDB_PY
set -euo pipefail
skein=$1 source=$2 gdb_py=$3
folder=$(mktemp -d)
job=
trap 'touch "$folder/go"; wait $job || true; rm -rf "$folder"' EXIT

"$skein" cc -g "$source" -o "$folder/attached"
"$skein" run -p 2 -n 4 --lb rotate --lb-period 1 "$folder/attached" "$folder/go" >"$folder/output" 2>&1 &
job=$!
until process=$(sed -n 's/^process //p' "$folder/output") && [[ -n $process ]]; do
  kill -0 $job 2>/dev/null || { cat "$folder/output"; exit 1; }
  sleep 0.05
done
gdb -q -batch -nx -x "$gdb_py" -ex "set debuginfod enabled off" -p "$process" -ex backtrace \
  -ex "frame function wait_for" -ex 'print *$own(&counter) + 500' 2>&1 || true
