#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# standard_input.sh SKEIN C CXX FORTRAN MPIEXEC: rank 0 reads all of standard input, in all languages and ways, from files
# and pipes, while it moves after every hundredth line; the other ranks see nothing. The programs are in
# tests/programs/input/.
set -euo pipefail
skein=$1 c=$2 cxx=$3 fortran=$4 mpiexec=$5
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-input.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
count=20000 # in 108,894 bytes: more than a pipe, or a launcher, takes at once
seq "$count" >numbers
expected="$count numbers, sum $((count * (count + 1) / 2))"
failures=0

# same NAME EXPECTED GOT
same() {
  [[ $3 == "$2" ]] && return
  echo "FAILED: $1: '$3', not '$2'; standard error:" >&2
  cat err >&2
  failures=$((failures + 1))
}

moving=(-n 4 --lb rotate --lb-period 1 --sync-at MPI_Barrier)
for way in "$c getchar" "$c fgets" "$c scanf" "$c getline" "$c ungetc" "$c wide" "$c read" "$c fdopen" \
  "$cxx stream" "$cxx getline" "$fortran unit"; do
  # shellcheck disable=SC2086
  same "pipe, $way" "$expected" "$(cat numbers | "$skein" run -p 2 "${moving[@]}" $way 2>err)"
  grep -q "LB moved $((4 * (count / 100 + 1))) ranks" err || [[ $way == *fdopen ]] || same "pipe, $way: moves" 1 0
done
# With a file the place in it matters, which each library keeps in its own way.
for way in "$c getchar" "$c ungetc" "$c read" "$c fdopen" "$cxx stream" "$fortran unit"; do
  # shellcheck disable=SC2086
  same "file, $way" "$expected" "$("$skein" run -p 2 "${moving[@]}" $way <numbers 2>err)"
done
same "late" "1 numbers, sum 42" "$( (sleep 1; echo 42) | "$skein" run -p 2 -n 4 "$c" fgets 2>err)"
same "one PE" "$expected" "$("$skein" run -p 1 -n 4 "$c" fgets <numbers 2>err)"
same "closed" "0 numbers, sum 0" "$("$skein" run -p 2 -n 4 "$c" fgets <&- 2>err)"
# MPICH's launcher gives up if more than a pipe's worth is not read at once.
seq 5000 >some
expected_some="5000 numbers, sum 12502500"
same "own launcher" "$expected_some" "$(SKEIN_MPIEXEC=$mpiexec "$skein" run -p 2 "${moving[@]}" "$c" fgets <some 2>err)"
same "under a launcher" "$expected_some" "$("$mpiexec" -n 2 "$skein" run "${moving[@]}" "$c" fgets <some 2>err)"
# Input that the job leaves unread is there for the next reader.
same "the rest" "10 numbers, sum 55 rest 11" \
  "$({ "$skein" run -p 2 -n 4 "$c" first 10 2>err | tr '\n' ' '; read -r; read -r next; echo "rest $next"; } <numbers)"
# A rank that waits for input lets the others of its PE run: rank 1 prints the question that is to be answered.
mkfifo answer
same "question" "1 numbers, sum 7" "$("$skein" run -p 1 -n 2 "$c" question 2>err <answer | {
  exec 3>answer
  read -r line
  [[ $line == "question" ]] && echo 7 >&3
  exec 3>&-
  cat
})"
# freopen() of stdin reads a file instead, in any rank.
same "freopen" "$expected" "$("$skein" run -p 2 "${moving[@]}" "$c" freopen 2>err </dev/null)"
((failures == 0))
