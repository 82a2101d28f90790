# SPDX-License-Identifier: Apache-2.0
# The rows of `--lb auto --lb-period auto` in bench/run.sh, which sources this: on apps/seismic against fixed choices, and on
# a balanced program against no balancing. In each round all ways take turns, and the median over the rounds of the ratio
# within a round counts: a disturbance of the machine that lasts longer than a run disturbs both sides.
auto_rounds=${auto_rounds-9}
auto_steps=${auto_steps-220}
auto_fixed=('greedy-refine:1' 'refine:1' 'refine-comm:1' 'greedy-refine:3')

# auto_seconds PROGRAM OPTION...: the seconds of the time loop of 16 ranks on two PEs with these options of skein run.
# PROGRAM is the arguments of seismic, in one word.
auto_seconds() {
  local program=$1
  shift
  # shellcheck disable=SC2086
  "$skein" run -p 2 -n 16 "$@" "$work/seismic" $program --migrate 10 --output "$work/auto-out" |
    sed -n 's/^time loop: \([0-9.]*\) s$/\1/p'
}

# auto_rows: needs $work/seismic, which seismic_rows compiles.
auto_rows() {
  local scenarios round fixed ours none seconds worst=
  scenarios=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../apps/seismic/scenarios
  local moving="$scenarios/ligurian.txt --steps $auto_steps"
  # All ranks compute equally: the whole space is of one rock, and no tile of it is skipped.
  local even="$scenarios/fullspace.txt --steps $((auto_steps / 3)) --no-skip"
  rm -f "$work"/auto-ratio.*
  for ((round = 0; round < auto_rounds; ++round)); do
    ours=$(auto_seconds "$moving" --lb auto --lb-period auto)
    for fixed in "${auto_fixed[@]}"; do
      seconds=$(auto_seconds "$moving" --lb "${fixed%:*}" --lb-period "${fixed#*:}")
      printf '%s\n' "$(compute "$ours / $seconds")" >>"$work/auto-ratio.$fixed"
    done
    # The order alternates.
    if ((round % 2)); then none=$(auto_seconds "$even"); fi
    ours=$(auto_seconds "$even" --lb auto --lb-period auto)
    if ((round % 2 == 0)); then none=$(auto_seconds "$even"); fi
    printf '%s\n' "$(compute "$ours / $none")" >>"$work/auto-ratio.none"
  done
  for fixed in "${auto_fixed[@]}"; do
    seconds=$(median <"$work/auto-ratio.$fixed")
    line "  seismic, auto against ${fixed%:*}, period ${fixed#*:}" "$(compute "$seconds")" - x - - - - ''
    worst=$(printf '%s\n' "$seconds" $worst | sort -g | tail -n 1)
  done
  row 'seismic, auto against the best fixed choice' x "$worst" 1.03 ''
  row 'balanced seismic, auto against no balancing' x "$(median <"$work/auto-ratio.none")" 1.02 ''
}
