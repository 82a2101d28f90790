#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# checked.sh MPIEXEC PES PROGRAM: checks the messages about the mistakes of checked.cpp.
set -uo pipefail
mpiexec=$1 pes=$2 program=$3
failed=0
source "$(dirname "${BASH_SOURCE[0]}")/../../failing_job.sh"

# told STATUS NAME OPTION... -- TEXT...: the job ends with STATUS (wrong: any but 0), and prints all texts.
told() {
  local expected=$1 name=$2 said status text
  shift 2
  local options=()
  while [[ $1 != -- ]]; do options+=("$1"); shift; done
  shift
  said=$(run_failing "$mpiexec" -n "$pes" "$program" "$name" "${options[@]}" 2>&1)
  status=$?
  if [[ $expected == right && $status != 0 || $expected == wrong && ($status == 0 || $status == 124) ]]; then
    printf '%s: status %s:\n%s\n' "$name" "$status" "$said"
    failed=1
  fi
  for text in "$@"; do
    if [[ $said != *"$text"* ]]; then
      printf '%s: does not say "%s" but:\n%s\n' "$name" "$text" "$said"
      failed=1
    fi
  done
  if [[ $name == right && $said == *skein:* ]]; then
    printf '%s: says:\n%s\n' "$name" "$said"
    failed=1
  fi
}

left_over='packed data goes on for'
ends_early='packed data ends too early'
# The mistake shows where the job unpacks: arguments and elements that go to another PE.
if ((pes > 1)); then
  told wrong value-left-over -- 'the arguments of Cell::take do not unpack as they were packed' "$left_over 16 bytes" \
    'Particle packs std::vector<int' 'as its value 2 and unpacks nothing there'
  told wrong value-missing -- 'the arguments of Cell::take do not unpack as they were packed' "$ends_early" \
    'Particle packs nothing as its value 2 and unpacks std::vector<int'
  told wrong member-left-over -- 'Cell{3} in serialize()' 'Cell packs long as its value 5 and unpacks nothing there'
  told wrong member-missing -- 'Cell{3} in serialize()' 'Cell packs nothing as its value 5 and unpacks long there'
  told wrong pointer-moved --skein.check -- 'Cell{1} in Cell::use_pointer: uses a pointer to Cell{0}, which has moved to PE 1'
fi
told wrong pointer-ended --skein.check -- 'Cell{1} in Cell::use_pointer: uses a pointer to Cell{0}, which has ended'
# With --check=pup it shows in place, on any number of PEs.
pup=--skein.check=pup
told right right $pup -- passed
told right right --skein.check -- passed
told wrong member-left-over sync $pup -- 'in serialize()' "$left_over 8 bytes" 'Cell packs long as its value 5 and unpacks nothing there'
told wrong member-missing sync $pup -- 'in serialize()' 'Cell packs nothing as its value 5 and unpacks long there'
told wrong value-left-over sync $pup -- 'in serialize()' 'std::vector<Particle' 'unpacks'
told wrong changes $pup -- 'in serialize()' 'are not the' 'of type int'
# A member that would be lost by a move is lost here, too.
told right forgotten $pup -- 'a member that serialize() is not given does not move along' 'of Cell, behind the long at' passed
exit $failed
