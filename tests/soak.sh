#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/soak.sh [MINUTES] [BUILD]: what takes too long for each change, for anyone to start when there is time: until the minutes
# (default: 10) are over, in turns, kills processes of a job at random moments (tests/job/checkpoint/survive.py), moves all ranks
# of a test program at random at each sync point (tests/job/programs/moved.sh), and feeds a fuzzer (tests/fuzz/), each time with
# another seed. BUILD is a build directory with all tests built (default: build). Says what failed, with the seed, and keeps
# fuzzers' findings in BUILD/soak/. Exit status 1 if anything did, 2 if it cannot be started.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1-10} build=${2-build}
if [[ ! $minutes =~ ^[1-9][0-9]*$ || ! -x $build/bin/skein ]]; then
  echo "tests/soak.sh [MINUTES] [BUILD]: '$minutes' is no number of minutes, or $build/bin/skein is not built" >&2
  exit 2
fi
build=$(cd "$build" && pwd)
skein=$build/bin/skein
mkdir -p "$build/soak"
end=$((SECONDS + 60 * minutes))
rounds=0 failed=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# try WHAT COMMAND...
try() {
  local what=$1
  shift
  ((SECONDS < end)) || return 0
  if "$@" >"$build/soak/last.out" 2>&1; then return; fi
  failed=$((failed + 1))
  cp "$build/soak/last.out" "$build/soak/failed-$failed.out"
  echo "FAILED: $what; $build/soak/failed-$failed.out has what it said: $*"
}

# The tests of programs that are moved at random, as CTest knows them.
mapfile -t moved < <(ctest --test-dir "$build" -N -L job | sed -n 's/^ *Test *#[0-9]*: \(job\.[A-Za-z_0-9]*\.[0-9]*x[0-9]*\)$/\1/p')
mapfile -t fuzzers < <(find "$build/tests/fuzz" -name '*_fuzz' -perm -u+x | sort)
echo "until $(date -d "+$minutes min" +%H:%M): kills, ${#moved[@]} tests of moved programs, ${#fuzzers[@]} fuzzers"
while ((SECONDS < end)); do
  rounds=$((rounds + 1))
  seed=$RANDOM
  try "kills of seed $seed" timeout 600 \
    python3 -B tests/job/checkpoint/survive.py "$skein" "$build/tests/job/checkpoint/continued" 7 20 "$seed"
  for test in $(shuf -n 3 -e -- "${moved[@]}"); do
    try "$test" env SKEIN_SEED="$seed" ctest --test-dir "$build" -R "^${test//./\\.}\$" --output-on-failure
  done
  for fuzzer in $(shuf -n 1 -e -- "${fuzzers[@]}"); do
    rm -rf "$build/soak/inputs" && mkdir "$build/soak/inputs"
    try "$fuzzer of seed $seed" env -C "$build/soak" "$fuzzer" "$build/soak/inputs" -seed="$seed" -max_total_time=30 -max_len=4096 -rss_limit_mb=1024 -timeout=20
  done
done
echo "$rounds rounds, $failed failures"
((failed == 0))
