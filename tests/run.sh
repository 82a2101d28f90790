#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything that is tested: sets the machine up, checks the sources, builds, runs all tests on Open MPI, and the smoke
# tests on MPICH with Boost.Context. Exit status 0 only if all of it passed.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null
source tests/setup.sh

install_packages "${skein_packages[@]}" "${skein_check_packages[@]}"

failed=()
# check NAME COMMAND...: a failure is noted, and the rest runs all the same.
check() {
  local name=$1
  shift
  say "$name"
  "$@" || failed+=("$name")
}

check "format" tests/check_format.sh
check "dependencies" tests/check_dependencies.sh
check "knots" tests/knots.py
check "variables" tests/variables.py
check "functions are in the file of their header" tests/declared.py

# So that the second build finds what the first has compiled: the paths of both are alike from their folders.
# What is not found is compiled without being preprocessed before.
export CCACHE_BASEDIR=$PWD CCACHE_DEPEND=1
configure_skein build openmpi
check "names" tests/check_names.py build
build_skein build
check "every header compiles alone" cmake --build build --target check_headers --parallel "$(nproc)"
check "sources changed last compile alone" tests/check_alone.py build
# The preset asan is for who looks for errors of memory, and takes as long again: here only that it can be built.
check "configuring with sanitizers" configure_skein build-asan-check openmpi -DSKEIN_SANITIZE=ON
# Jobs of several processes say so (PROCESSORS): two of two PEs run at once, as each waits for half of its time; what depends
# on the time that it is given runs alone, but for a test of one process.
check "tests on Open MPI" ctest --test-dir build --parallel 4 --output-on-failure --no-tests=error

# The other MPI, and with it the other switch of stacks: neither knows of the other, and little is compiled anew.
configure_skein build-mpich mpich -DSKEIN_CONTEXT=boost
build_skein build-mpich unit_fiber smoke_programs
check "smoke tests on MPICH with Boost.Context" ctest --test-dir build-mpich --output-on-failure --no-tests=error -L smoke
check "the switch of Boost.Context" ctest --test-dir build-mpich --output-on-failure --no-tests=error -R '^unit\.fiber$'

say "result"
if ((${#failed[@]})); then
  printf 'FAILED: %s\n' "${failed[@]}"
  exit 1
fi
echo "all passed"
