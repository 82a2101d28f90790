# SPDX-License-Identifier: Apache-2.0
# The rows of apps/seismic in bench/run.sh, which sources this: a whole program against raw MPI, against itself with more
# ranks, and its gain by balancing. Five ways of running take turns, and the least time of each counts, since a
# disturbance only makes a run longer.
seismic_scenario=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../apps/seismic/scenarios/ligurian.txt
seismic_steps=150
seismic_rounds=6

# seismic_seconds COMMAND...: the seconds of the command's time loop.
seismic_seconds() {
  "$@" "$seismic_scenario" --steps "$seismic_steps" --migrate 10 --output "$work/seismic-out" |
    sed -n 's/^time loop: \([0-9.]*\) s$/\1/p'
}

# perfect_gain REPORT SECONDS: how much faster a run of SECONDS without moves would have been if all PEs had had the
# average load in each interval of its report.
perfect_gain() {
  python3 - "$1" "$2" <<'PYTHON'
import json, sys
loads = [line["pe_loads_s"] for line in map(json.loads, open(sys.argv[1])) if "step" in line]
seconds = float(sys.argv[2])
print(seconds / (seconds - sum(max(pes) - sum(pes) / len(pes) for pes in loads)))
PYTHON
}

seismic_rows() {
  local -A least=()
  local sources=("$(dirname "$seismic_scenario")"/../*.c) round way seconds
  # Compiled as apps/seismic/CMakeLists.txt compiles the raw program.
  "$skein" cc -std=c11 -O3 -ffp-contract=off -falign-functions=64 "${sources[@]}" -lm -o "$work/seismic"
  local run=("$skein" run -p 2)
  for ((round = 0; round < seismic_rounds; ++round)); do
    for way in raw few many balanced recorded; do
      case $way in
        raw) seconds=$(seismic_seconds "$mpiexec" -n 2 "$build/apps/seismic/seismic_mpirun") ;;
        few) seconds=$(seismic_seconds "${run[@]}" -n 2 "$work/seismic") ;;
        many) seconds=$(seismic_seconds "${run[@]}" -n 16 "$work/seismic") ;;
        recorded) seconds=$(SKEIN_TRACE=$work/trace seismic_seconds "${run[@]}" -n 16 "$work/seismic") ;;
        balanced) seconds=$(seismic_seconds "${run[@]}" -n 16 --lb greedy-refine --lb-period 1 "$work/seismic") ;;
      esac
      least[$way]=$(printf '%s\n' "$seconds" ${least[$way]:-} | sort -g | head -n 1)
    done
  done
  # On two PEs, rotating by two measures but moves nothing.
  seconds=$(seismic_seconds "${run[@]}" -n 16 --lb rotate:by=2 --lb-period 1 --lb-report "$work/unbalanced" "$work/seismic")
  local perfect
  perfect=$(perfect_gain "$work/unbalanced" "$seconds")
  row 'seismic, 1 rank a PE against raw MPI' x "${least[few]} / ${least[raw]}" 1.02 ''
  row 'seismic, 8 ranks a PE against 1' x "${least[many]} / ${least[few]}" 1.05 ''
  row 'seismic, 16 ranks, recorded against not' x "${least[recorded]} / ${least[many]}" 1.01 ''
  row 'seismic, 16 ranks, time with LB of without' x "${least[balanced]} / ${least[many]}" \
    "1 / (0.9 * $perfect > 1.3 ? 0.9 * $perfect : 1.3)" ''
}
