#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether all C and C++ sources are as clang-format 14 would write them; with --fix, makes them so. Other versions lay
# some constructs out differently, so it is this one. The MPI headers are tables, aligned by hand.
set -euo pipefail
cd "$(dirname "$0")/.."

tool=clang-format-14
if ! command -v $tool >/dev/null; then
  echo "check_format: $tool is missing (package clang-format-14)" >&2
  exit 1
fi
mode=(--dry-run -Werror)
if [[ ${1-} == --fix ]]; then mode=(-i); fi
git ls-files -z -- '*.c' '*.h' '*.cpp' '*.hpp' ':!include/skein/mpi' | xargs -0 --no-run-if-empty $tool "${mode[@]}"
