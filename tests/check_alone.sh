#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_alone.sh [COUNT]: compiles those source files of runtime/ and lb/ that were changed last, COUNT of them (default: 16),
# each alone. The builds of tests/setup.sh compile several as one, which hides an #include that is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
source tests/setup.sh

mapfile -t changed < <(git log --max-count 200 --name-only --format= -- 'runtime/*.cpp' 'lb/*.cpp' | awk '!seen[$0]++')
sources=()
for source in "${changed[@]}"; do
  if [[ -e $source && ${#sources[@]} -lt ${1:-16} ]]; then sources+=("$source"); fi
done

configure_skein build-alone openmpi -DCMAKE_UNITY_BUILD=OFF -DCMAKE_BUILD_TYPE=Debug -DSKEIN_BENCHMARKS=OFF >/dev/null
# Which of them this configuration compiles; a module of a library that is missing, say, it does not.
known=$(ninja -C build-alone -t targets all | sed -n 's/^\(.*\.cpp\)\.o: .*/\1/p')
objects=()
for source in "${sources[@]}"; do
  object=$(grep -E "CMakeFiles/[^/]*\.dir/(.*/)?$(basename "$source")$" <<<"$known" |
    awk -v source="$source" '{ path = $0; sub(/CMakeFiles\/[^\/]*\.dir\//, "", path); if (path == source) { print; exit } }') || true
  if [[ $object ]]; then objects+=("$object.o"); else echo "$source: not compiled here"; fi
done
printf '%s\n' "${objects[@]}"
cmake --build build-alone --parallel "$(nproc)" --target "${objects[@]}"
