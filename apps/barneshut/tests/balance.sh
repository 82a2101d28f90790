#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Partitions and the advisor's advice, by sampled interactions as well, balance the interactions, which do not depend on how busy the machine is, and
# change no body: inline, and with a process that decides while the others go on. Called with libskein_mpmd.so, if it can be
# preloaded, as its fourth argument.
source "$(dirname "$0")/common.sh"
library=$4  # or empty

# Within so many steps whatever deciding and moving take on a busy machine pays for itself.
run=(--scenario collision --bodies 3000 --steps 40 --time-step 0.02 --horizon 100000)
balance=5
imbalance() { sed -n 's/^interactions: .*imbalance \(.*\) %/\1/p' "$work/out"; }
# below LIMIT WHAT COMMAND...
below() {
  "${@:3}" "${run[@]}" --balance "$balance" >"$work/out" 2>&1 || { cat "$work/out"; fail "$2: it failed"; }
  echo "$2: $(imbalance) %"
  [[ $(value fingerprint <"$work/out") == "$expected" ]] || fail "$2: other bodies"
  holds "$(imbalance) < $1" || { cat "$work/out"; fail "$2: the imbalance is above $1 %"; }
}
for processes in 2 4; do
  barneshut "$processes" "${run[@]}" --partition none >"$work/out"
  plain=$(imbalance) expected=$(value fingerprint <"$work/out")
  echo "$processes processes: $plain %"
  for partition in $([[ $processes == 2 ]] && echo orb || echo costzones); do
    below 6 "$processes processes, $partition" barneshut "$processes" --partition "$partition"
  done
  below "$plain / 2" "$processes processes, advisor" barneshut "$processes" --partition advisor
  # hyper needs Zoltan, which may not be there, or be linked to another MPI.
  barneshut "$processes" --partition advisor --advice hyper --steps 0 >"$work/out" 2>&1 || true
  hyper=$(! grep -qE 'which this build lacks|Zoltan' "$work/out" && echo yes || echo)
  [[ -z $hyper ]] || below "$plain / 2" "$processes processes, hyper" barneshut "$processes" --partition advisor --advice hyper
  [[ -z $hyper ]] || grep -q '^advice: hyper' "$work/out" || fail "$processes processes: hyper was never advised"
done

if [[ -z $library ]]; then exit 0; fi
# One more process, which the program does not see. What it advises is of two calls ago: calls are many, so that most
# of the steps come after the first advice.
balance=1
for mode in lazy:pes=1 decoupled:reserved,pes=1 decoupled:pes=1; do
  all=$((processes + 1))
  [[ $mode != decoupled:pes=* ]] || all=$processes # those that decide are of the program
  [[ $mode == decoupled:pes=* ]] && advices=("" ${hyper:+hyper}) || advices=("")
  for advice in "${advices[@]}"; do
    below "$plain * 0.75" "$mode $advice" "$mpiexec" -n "$all" env LD_PRELOAD="$library" SKEIN_MPMD="$mode" \
      "$programs/barneshut" --partition advisor ${advice:+--advice "$advice"}
    grep -q "^advice: ${advice:-[^n]}" "$work/out" || fail "$mode $advice: nothing was advised"
  done
done
