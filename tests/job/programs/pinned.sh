#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pinned.sh SKEIN PROGRAM: `pinned` checks which ranks moved; this checks that the user hears which did not, and why.
set -euo pipefail
skein=$1 program=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-pinned.XXXXXX")
trap 'rm -rf "$work"' EXIT

"$skein" run -p 2 -n 4 --lb rotate --lb-period 1 --lb-report "$work/report" "$program" 2>"$work/err" || {
  echo "FAILED: exit status $?" >&2
  cat "$work/err" >&2
  exit 1
}
told=$(grep -cE 'rank 0 stays on PE [01] while (it holds a socket|a stream of it converts character sets)' "$work/err" || true)
pinned=$(grep -c '"objects_pinned":\[0\]' "$work/report" || true)
free=$(grep -c '"objects_pinned":\[\]' "$work/report" || true)
if [[ $told:$pinned:$free != 2:12:18 ]]; then
  echo "FAILED: told $told times of 2, $pinned steps of 12 with rank 0 pinned, $free of 18 with none" >&2
  cat "$work/err" "$work/report" >&2
  exit 1
fi
