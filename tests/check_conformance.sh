#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_conformance.sh SKEIN FOLDER...: every MPI function that is implemented is called by one of the programs in the
# folders, each of which compares its results with formulas; from C, and from Fortran where Fortran has it. What calls
# what is read from the symbol tables: a weak definition in the launcher is the one that reports the function as
# unsupported.
set -euo pipefail
skein=$1
shift
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-conformance.XXXXXX")
trap 'rm -rf "$work"' EXIT

# called PATTERN: what the programs refer to by names of this form, in lower case
called() {
  find "${folders[@]}" -type f -executable -print0 | xargs -0 nm -D --undefined-only 2>/dev/null |
    sed -n "s/^ *U $1\$/\\1/p" | tr '[:upper:]' '[:lower:]' | sort -u
}

# compare LANGUAGE LIST CALLED: all of the list are called
compare() {
  comm -23 "$2" "$3" >"$work/missing"
  echo "$1: $(wc -l <"$2") functions are implemented, $(wc -l <"$work/missing") of them called by no program"
  sed 's/^/  /' "$work/missing" >&2
  [[ -s $2 && ! -s $work/missing ]]
}

folders=("$@")
nm "$skein" | sed -n 's/^[0-9a-f]* T skein_\(MPIX\{0,1\}_[A-Za-z0-9_]*\)$/\1/p' | tr '[:upper:]' '[:lower:]' | sort -u >"$work/c"
# Module mpi_f08 has names of its own for the procedures.
of_any_module() { sed -E 's/_f08(ts)?$//' | sort -u; }
nm "$skein" | sed -n 's/^[0-9a-f]* T skein_\(mpix\{0,1\}_[a-z0-9_]*\)_$/\1/p' | of_any_module | comm -12 - "$work/c" >"$work/fortran"
called '\(MPIX\{0,1\}_[A-Za-z0-9_]*\)' >"$work/called_c"
called '\(mpix\{0,1\}_[a-z0-9_]*\)_' | of_any_module >"$work/called_fortran"

status=0
compare C "$work/c" "$work/called_c" || status=1
compare Fortran "$work/fortran" "$work/called_fortran" || status=1
exit "$status"
