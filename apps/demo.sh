#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets the machine up, builds Skein, and runs an earthquake three times: under mpirun, as virtual ranks without load
# balancing, and with it. Prints the three times and the imbalance per LB step, and checks that all seismograms are
# bitwise equal.
#
#   bash apps/demo.sh [SCENARIO]     (default: apps/seismic/scenarios/ligurian.txt; PES and RANKS from the environment)
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null
source tests/setup.sh

scenario=${1:-apps/seismic/scenarios/ligurian.txt}
pes=${PES:-2}
ranks=${RANKS:-16}
[[ -r $scenario ]] || { echo "demo: the scenario $scenario cannot be read" >&2; exit 2; }

install_packages "${skein_packages[@]}"
configure_skein build openmpi
build_skein build skein_command

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

sources=()
for file in apps/seismic/*.c; do
  case $file in */check_* | */compare_*) ;; *) sources+=("$file") ;; esac
done
say "compiling apps/seismic twice, as it is: with mpicc and with skein cc"
flags=(-std=c11 -O3 -ffp-contract=off)
mpicc.openmpi "${flags[@]}" "${sources[@]}" -lm -o "$results/seismic_mpirun"
build/bin/skein cc "${flags[@]}" "${sources[@]}" -lm -o "$results/seismic"

# run NAME COMMAND...: seismograms to $results/NAME; leaves the time loop's seconds in $seconds.
run() {
  local name=$1
  shift
  say "$name: $*"
  "$@" "$scenario" --output "$results/$name" --migrate 10 | tee "$results/$name.log"
  seconds=$(sed -n 's/^time loop: \([0-9.]*\) s$/\1/p' "$results/$name.log")
}

# Open MPI refuses to run as root without these.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
run mpirun mpirun.openmpi --oversubscribe -n "$pes" "$results/seismic_mpirun"
mpirun_seconds=$seconds
run skein build/bin/skein run -p "$pes" -n "$ranks" "$results/seismic"
skein_seconds=$seconds
run balanced build/bin/skein run -p "$pes" -n "$ranks" --lb greedy-refine --lb-period 1 --lb-report "$results/report.json" \
  "$results/seismic"
balanced_seconds=$seconds

say "imbalance per LB step: the time of the fullest PE above the average, in percent"
python3 apps/imbalance_chart.py "$results/report.json"

say "result"
awk -v mpirun="$mpirun_seconds" -v skein="$skein_seconds" -v balanced="$balanced_seconds" -v pes="$pes" -v ranks="$ranks" \
  'BEGIN {
     printf "mpirun, %d processes                        %8.2f s\n", pes, mpirun
     printf "Skein, %d ranks on %d PEs, no balancing      %8.2f s\n", ranks, pes, skein
     printf "Skein, %d ranks on %d PEs, greedy-refine     %8.2f s   %.2f times as fast as without\n", ranks, pes, balanced,
            skein / balanced
   }'
for name in skein balanced; do
  for seismogram in "$results"/mpirun/*; do
    cmp "$seismogram" "$results/$name/$(basename "$seismogram")"
  done
done
echo "all seismograms are bitwise equal: $(find "$results/mpirun" -name '*.txt' | wc -l) stations, 3 runs"
