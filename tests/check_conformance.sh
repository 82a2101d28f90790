#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_conformance.sh SKEIN FOLDER...: every MPI function that is implemented is called by one of the programs in the
# folders, each of which compares its results with formulas. What calls what is read from the symbol tables: a weak
# definition in the launcher is the one that reports the function as unsupported.
set -euo pipefail
skein=$1
shift
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-conformance.XXXXXX")
trap 'rm -rf "$work"' EXIT

nm "$skein" | sed -n 's/^[0-9a-f]* T skein_\(MPI_[A-Za-z0-9_]*\)$/\1/p' | sort -u >"$work/implemented"
find "$@" -type f -executable -print0 | xargs -0 nm -D --undefined-only 2>/dev/null |
  sed -n 's/^ *U \(MPI_[A-Za-z0-9_]*\)$/\1/p' | sort -u >"$work/called"
comm -23 "$work/implemented" "$work/called" >"$work/missing"

echo "$(wc -l <"$work/implemented") functions are implemented, $(wc -l <"$work/missing") of them called by no program"
if [[ ! -s $work/implemented || -s $work/missing ]]; then
  sed 's/^/  /' "$work/missing" >&2
  exit 1
fi
