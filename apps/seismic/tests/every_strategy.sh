#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# As virtual ranks that every strategy in turn moves about, the results are bitwise those of one process without Skein.
# Positions for those that need them are the ranks' coordinates in the program's grid. An assignment that is damaged ends
# the job with a message that says so. Called with the skein command behind the usual arguments.
. "$(dirname "$0")/common.sh"
skein=$3
"$(dirname "$skein")/skeincc" -O3 -ffp-contract=off "$here"/../*.c -o "$work/seismic" -lm
for rank in 0 1 2 3 4 5 6 7; do echo "$rank $((rank % 2))"; done >"$work/assignment"
echo "8 0" >"$work/damaged"

seismic 1 --steps 60 --output "$work/one" "$here/small.txt"

# balanced NAME STRATEGY [PERIOD]: runs it; its report is $work/NAME.report.
balanced() {
  "$skein" run -p 2 -n 8 --lb "$2" --lb-period "${3:-1}" --lb-report "$work/$1.report" "$work/seismic" --steps 60 --migrate 20 \
    --output "$work/$1" "$here/small.txt" >"$work/$1.log" 2>&1
}
same() {
  balanced "$@" || { cat "$work/$1.log"; fail "$2: the job failed"; }
  diff -rq "$work/one" "$work/$1" || fail "$2: other results than one process"
  grep -q '"step"' "$work/$1.report" || [ "$1" = none ] || fail "$2: there was no LB step"
}
refused() {
  if balanced "$1" "$2"; then fail "$2: the job succeeded"; fi
  grep -q "LB step 1: $3" "$work/$1.log" || { cat "$work/$1.log"; fail "$2: no message like '$3'"; }
}

strategies=$("$skein" info | sed -n 's/^strategies  *//p' | sed 's/[a-z-]* (unavailable)//g' | tr -d ,)
[ -n "$strategies" ] || fail "skein info lists no strategies"
for strategy in $strategies; do
  echo "$strategy"
  case $strategy in
    offline) same offline "offline:file=$work/assignment" ;;
    *) same "$strategy" "$strategy" ;;
  esac
done
for strategy in rotate random greedy offline; do
  grep -q '"objects_moved":[1-9]' "$work/$strategy.report" || fail "$strategy: no rank moved, so this shows nothing"
done
same auto auto
same auto-auto auto auto
same diffusion-comm diffusion:graph=comm
refused damaged "offline:file=$work/damaged" "strategy 'offline': $work/damaged:1: there is no object 8"
