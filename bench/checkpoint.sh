#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/checkpoint.sh [BUILD]: the cost of states of a job, for apps/seismic: its time loop with states in files and in memory
# against none, in turns, of which the least of each counts; how long ranks stand still for a state in files; how long a state
# takes to write and to read, beside one memcpy of its memory; and the time from the death of a PE until the job goes on.
# BUILD is a build directory (default: build). Exit status 1 if a bound is missed, 2 if the table cannot be made.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/table.sh"
usage='[BUILD]'
use_build "$@"
unset SKEIN_QUIET
folder=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
steps=${steps-440} rounds=${rounds-3}
"$skein" cc -std=c11 -O3 -ffp-contract=off "$folder"/../apps/seismic/*.c -lm -o "$work/seismic"
cd "$work"
program=(./seismic "$folder/../apps/seismic/scenarios/ligurian.txt" --steps "$steps" --migrate 5 --output out)

# run NAME OPTION...: leaves its messages in NAME.err and the seconds of the time loop in NAME.
run() {
  local name=$1
  shift
  "$skein" run -p 2 -n 16 --verbose "$@" "${program[@]}" 2>"$name.err" | sed -n 's/^time loop: \([0-9.]*\) s$/\1/p' >>"$name"
  sed -n 's/.*checkpoint [0-9]* in .*, in \([0-9.]*\) s$/\1/p' "$name.err" >>"$name.states"
  sed -n 's/.*checkpoint [0-9]* in .* stood still for \([0-9.]*\) s$/\1/p' "$name.err" >>"$name.stops"
}

for ((round = 0; round < rounds; ++round)); do
  run none
  rm -rf ck
  run files-10s --checkpoint ck:every=10s
  run files-1s --checkpoint ck:every=1s
  run memory-10s --survive
  run memory-1s --survive=every=1s
done

# median_of NAME: the seconds of one state. stop_of NAME: the seconds for which ranks stand still for it.
median_of() { median <"$1.states"; }
stop_of() { median <"$1.stops"; }
least() { sort -g "$1" | head -n 1; }
row() { # NAME VALUE UNIT [BOUND]
  local value
  value=$(compute "$2")
  verdict=
  [[ ! ${4-} ]] || judge "$value" "$4"
  printf '%-52s %9s %-4s %s\n' "$1" "$value" "$3" "${4:+at most $4  $verdict}"
}

read -r bytes stored < <("$skein" checkpoint info ck --json | python3 -c 'import json, sys; told = json.load(sys.stdin); print(told["bytes"], told["stored"])')
# One memcpy of as many bytes, by two processes at once, as two PEs hold them.
copy=$(python3 - "$bytes" <<'PYTHON'
import multiprocessing, sys, time
def copy(size):
    source, target = bytearray(b"1") * size, bytearray(b"2") * size
    least = 1e9
    for _ in range(3):
        start = time.perf_counter()
        target[:] = source
        least = min(least, time.perf_counter() - start)
    return least
with multiprocessing.Pool(2) as pool:
    print(max(pool.map(copy, [int(sys.argv[1]) // 2] * 2)))
PYTHON
)
gib="($bytes / 2 ^ 30)"
row 'memory of the ranks' "$bytes / 2 ^ 20" MiB
row 'a state of it in files' "$stored / 2 ^ 20" MiB
row 'a state in files' "$(median_of files-1s)" s
row 'ranks stand still for it' "$(stop_of files-1s)" s
row 'what that makes of a job at every=1min' "100 * $(stop_of files-1s) / 60" % 2
row 'a state in memory' "$(median_of memory-1s)" s
row 'what that makes of a job at every=10s' "100 * $(median_of memory-1s) / 10" %
row 'a state in files, for each GiB' "$(median_of files-1s) / $gib" s
row 'ranks stand still for it, for each GiB' "$(stop_of files-1s) / $gib" s
row 'a state in memory, for each GiB' "$(median_of memory-1s) / $gib" s
row 'the same against one memcpy' "$(median_of memory-1s) / $copy" x
for way in files-10s files-1s memory-10s memory-1s; do
  row "seismic with states, $way, against none" "$(least $way) / $(least none)" x
done

"$skein" run -p 2 --restart ck --verbose "${program[@]}" >/dev/null 2>again.err
row 'a restart reads a GiB in' "$(sed -n 's/.*read in \([0-9.]*\) s$/\1/p' again.err) / $gib" s

# The time from the death of a PE until the ranks go on.
python3 - "$skein" "${program[@]}" >recovery <<'PYTHON'
import os, re, signal, subprocess, sys, time
job = subprocess.Popen([sys.argv[1], "run", "-p", "2", "-n", "16", "--survive=every=1s", "--verbose"] + sys.argv[2:],
                       stdout=subprocess.DEVNULL, stderr=open("recovery.err", "w"))
def wait_for(text, count):
    while open("recovery.err").read().count(text) < count:
        if job.poll() is not None:
            sys.exit("the job has ended")
        time.sleep(0.005)
for death in range(3):
    wait_for("checkpoint ", death + 1)
    time.sleep(1.5)
    children = [child for process in open(f"/proc/{job.pid}/task/{job.pid}/children").read().split()
                for child in open(f"/proc/{process}/task/{process}/children").read().split()]
    start = time.perf_counter()
    os.kill(int(children[-1]), signal.SIGKILL)
    wait_for("goes on from /dev/shm", death + 1)
    print(time.perf_counter() - start)
job.send_signal(signal.SIGTERM)
job.wait()
PYTHON
row 'from the death of a PE until the ranks go on' "$(median <recovery)" s 3
((missed == 0))
