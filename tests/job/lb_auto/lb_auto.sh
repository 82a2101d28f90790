#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lb_auto.sh SKEIN PROGRAM PES: checks the model's choice in a job, and that all PEs make the same choice.
set -euo pipefail
skein=$1 program=$2 pes=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-auto.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
ranks=12
steps=60

fail() {
  echo "FAILED: $1" >&2
  tail -n 40 ./*.err ./*.report >&2
  exit 1
}

# run NAME FACTOR OPTIONS...
run() {
  local name=$1 factor=$2
  shift 2
  "$skein" run -p "$pes" -n "$ranks" "$@" --lb-report "$name.lines" "$program" "$steps" "$factor" \
    >"$name.out" 2>"$name.err" || fail "$name: exit status $?"
  if [[ -e $name.lines ]]; then grep '"step"' "$name.lines" >"$name.report" || true; fi
}

# field NAME LINE FIELD: prints a field of the report; LINE as sed has it.
field() { sed -n "$2p" "$1.report" | sed -E "s/.*\"$3\":([^,}]*).*/\1/"; }
is() { awk "BEGIN { exit !($1) }" || fail "$2"; }

# Ranks 0 to 5 have 4 times the load of 6 to 11, and start in blocks: on 2 PEs an imbalance of 4 / 2.5 - 1 = 60 %, on 3
# PEs (4, 2.5, 1 a rank) the same. The imbalance lasts, so one step removes it for good.
run even 4
run auto 4 --lb auto --lb-period 5 -v
cmp even.out auto.out || fail "the program printed something else with --lb auto"
grep -q 'LB auto chose' auto.err || fail "the summary does not say what was chosen"
[[ $(grep -c '^\* ' auto.err) == $((steps / 5)) ]] || fail "-v does not print the table of each choice"
[[ $(wc -l <auto.report) == $((steps / 5)) ]] || fail "not every fifth sync point was a step"
if ((pes > 1)); then
  grep -Eq 'LB step [0-9]+, the last that moved anything: PE [0-9]+ took [0-9]+ % more .*; the step costs .* will gain' auto.err ||
    fail "the summary does not say why ranks were moved"
  is "$(field auto 1 imbalance_before_percent) > 59.9 && $(field auto 1 imbalance_before_percent) < 60.1" \
    "the program's imbalance is not 60 %"
  is "$(field auto '$' imbalance_before_percent) < 5" "auto left the imbalance"
  [[ $(field auto '$' strategy) == '"none"' ]] || fail "auto went on moving what was balanced"
fi

# With an automatic period the result is the same, and the imbalance gone. The number of steps depends on what they take.
run period 4 --lb auto --lb-period auto
cmp even.out period.out || fail "the program printed something else with --lb-period auto"
is "$(field period '$' imbalance_before_percent) < 5" "auto left the imbalance with a period of its own"

# A fixed strategy with an automatic period; periods in seconds with the model.
run fixed 4 --lb refine --lb-period auto
cmp even.out fixed.out || fail "the program printed something else with --lb refine --lb-period auto"
# With a distributed strategy no PE has the loads of all.
run distributed 4 --lb diffusion --lb-period auto
cmp even.out distributed.out || fail "the program printed something else with --lb diffusion --lb-period auto"
run seconds 4 --lb auto --lb-period 0.01s
cmp even.out seconds.out || fail "the program printed something else with --lb-period 0.01s"

# If there is nothing to gain, nothing moves.
run balanced 1 --lb auto --lb-period auto
! grep -q '"objects_moved":[1-9]' balanced.report || fail "ranks moved in a balanced program"

# Keys are checked.
if "$skein" run --lb auto:horizont=3 "$program" 2>key.err; then fail "a wrong key was accepted"; fi
grep -q 'horizon' key.err || fail "the message does not name the valid key"

# A strategy that needs data which these ranks do not report ends the job at its first step.
if "$skein" run -p "$pes" -n "$ranks" --lb rcb --lb-period 1 "$program" "$steps" 4 >rcb.out 2>rcb.err; then
  fail "rcb succeeded without positions"
fi
grep -q "LB step 1: strategy 'rcb' needs positions" rcb.err || fail "rcb without positions has no message that says so"

# So does a strategy that goes level by level, as ranks have no levels; a value other than 0 and 1 is refused at once.
if "$skein" run -p "$pes" -n "$ranks" --lb refine:by_level=1 --lb-period 1 "$program" "$steps" 4 >levels.out 2>levels.err; then
  fail "by_level succeeded without levels"
fi
grep -q "LB step 1: strategy 'refine': by_level=1 needs levels of the objects" levels.err || fail "by_level without levels has no message that says so"
if "$skein" run --lb refine:by_level=2 "$program" 2>key.err; then fail "by_level=2 was accepted"; fi
grep -q "key 'by_level' is '2'; it must be an integer from 0 to 1" key.err || fail "the message does not name the valid values"
if "$skein" run -p "$pes" --lb rotate:by_level=1 --lb-mode decoupled:pes=2 "$program" 2>key.err; then fail "two PEs decided level by level"; fi
grep -q "decides level by level, on one PE" key.err || ((pes < 3)) || fail "the message does not say that one PE decides"
