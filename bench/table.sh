# SPDX-License-Identifier: Apache-2.0
# Shared by the scripts of this folder, which source it: the build folder that they measure, how they run programs, and
# rows of a table with bounds. The script sets `usage`, the words behind its name.
fail() {
  echo "bench/$(basename "$0"): $*" >&2
  exit 2
}

# use_build [FOLDER]: sets build, skein, mpiexec, work (a folder that is removed at the end) and the environment of
# runs.
use_build() {
  [[ ${1-} != -* ]] || fail "unknown option $1; the usage is bench/$(basename "$0") $usage"
  [[ -f ${1:-build}/CMakeCache.txt ]] || fail "${1:-build} is not a build directory"
  build=$(cd "${1:-build}" && pwd)
  skein=$build/bin/skein
  mpiexec=$(sed -n 's/^MPIEXEC_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt")
  work=$(mktemp -d "${TMPDIR:-/tmp}/skein-bench.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_hwloc_base_binding_policy=core
  export SKEIN_QUIET=1
}

# compute EXPRESSION: prints its value by awk, to three digits.
compute() { awk "BEGIN { printf \"%.3g\", $1 }"; }

# median: prints the median of the numbers on standard input, one a line.
median() { sort -g | awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'; }

# judge OURS BOUND: sets `verdict` to ok or MISSED, and counts missed bounds.
missed=0
judge() {
  verdict=ok
  if awk "BEGIN { exit !(($1) > ($2)) }"; then
    verdict=MISSED
    missed=$((missed + 1))
  fi
}
