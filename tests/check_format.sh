#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Names the C and C++ sources that are not as clang-format 14 would write them; with --fix, rewrites them. Other versions
# lay some constructs out differently, so it is this one. The MPI headers are tables, aligned by hand. Names the constants
# at namespace scope of the product, too, that are not written kCamel; templates, and what users' programs name in
# include/skein/*.hpp, are as the standard library's.
set -euo pipefail
cd "$(dirname "$0")/.."

tool=clang-format-14
if ! command -v $tool >/dev/null; then
  echo "check_format: $tool is missing (package clang-format-14)" >&2
  exit 1
fi
mapfile -d '' sources < <(git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp' '*.hpp' ':!include/skein/mpi')
if [[ ${1-} == --fix ]]; then
  exec $tool -i "${sources[@]}"
fi
# A run for several files, as most of the time of one for each goes into starting it.
mapfile -t badly_formatted < <(printf '%s\0' "${sources[@]}" |
  xargs -0 -n 64 $tool --dry-run 2>&1 | sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning: .*/\1/p' | sort -u)
if ((${#badly_formatted[@]})); then
  printf '%s\n' "${badly_formatted[@]}"
  echo "check_format: ${#badly_formatted[@]} of ${#sources[@]} sources; tests/check_format.sh --fix formats them"
  exit 1
fi
mapfile -d '' product < <(git ls-files -z --cached --others --exclude-standard -- 'runtime/*.[ch]pp' 'lb/*.[ch]pp' 'include/skein/*/*.hpp')
constants=$(awk '
  FNR == 1 { before = "" }
  /^(inline |static )*constexpr [^(={;]*[ *&][a-z_][a-z0-9_]*(\[[^]]*\])? *(=|\{|;)/ && before !~ /^template|^ *requires/ {
    name = $0
    sub(/(\[[^]]*\])? *(=|\{|;).*/, "", name)
    sub(/.*[ *&]/, "", name)
    if (name !~ /^k[A-Z]/) print FILENAME ":" FNR ": " name
  }
  { before = $0 }' "${product[@]}")
if [[ -n $constants ]]; then
  echo "$constants"
  echo "check_format: constants are written kCamel"
  exit 1
fi
