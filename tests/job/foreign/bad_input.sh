#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bad_input.sh SKEIN WHAT: a program that cannot run is refused by skein run and skein info, which name it and what to do.
#   unknown  for a version of MPI that there is no stand-in for
#   unnamed  for an MPI whose library has a name of its own
#   mixed, mixed_standard  for Open MPI, with a library for MPICH or for MPI 5.0's ABI
#   loaded   the same, where the library comes by dlopen()
#   missing, missing_above  a library of it is not there, or one of that MPI's, which comes on top of Skein's
#   static_mpi  its MPI is linked statically
#   static, narrow (32 bits), shell (a script of bash), nameless (a script without an interpreter)
set -euo pipefail
skein=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# library FILE SONAME TEXT OPTION...
library() {
  echo "$3" | gcc -shared -fPIC -x c - -x none -o "$1" -Wl,-soname,"$2" "${@:4}"
}
# program OPTION...: ./program
program() {
  echo 'int MPI_Init(int*, char***); int main(void) { return MPI_Init(0, 0); }' | gcc -x c - -x none -o program -Wl,-rpath,"$PWD" "$@"
}
# refused PATTERN: both commands refuse the program with exit status 1 or 2, not by a fault.
refused() {
  local command status
  for command in "run -n 2" info; do
    status=0
    "$skein" $command ./program >said 2>&1 || status=$?
    cat said
    [[ $status -ge 1 && $status -le 2 ]]
    grep -qE "$1" said
  done
}

# solver SONAME: builds libsolver.so for the MPI of that library. The launcher does not find the MPIs in the folder `linked`,
# so that it may be linked against the true ones.
solver() {
  mkdir linked
  library linked/libmpi.so.40 libmpi.so.40 "$init int MPI_Finalize(void) { return 0; }"
  library "linked/$1" "$1" 'int MPI_Finalize(void) { return 0; }'
  library libsolver.so libsolver.so 'int MPI_Finalize(void); int solve(void) { return MPI_Finalize(); }' "linked/$1"
}

readonly init='int MPI_Init(int* c, char*** v) { return c || v; }'
case $2 in
  unknown)
    library libmpi.so.80 libmpi.so.80 "$init"
    program libmpi.so.80
    refused "program is linked against libmpi.so.80, another MPI's library, which Skein has no stand-in for"
    ;;
  unnamed)
    library libvendor.so libvendor.so.1 "$init"'int PMPI_Init(int* c, char*** v) { return MPI_Init(c, v); }'
    ln -s libvendor.so libvendor.so.1
    program libvendor.so
    refused "program is linked against .*libvendor.so.*, another MPI's library, which Skein has no stand-in for"
    ;;
  mixed)
    solver libmpich.so.12
    program -Wl,--no-as-needed linked/libmpi.so.40 libsolver.so -Wl,-rpath-link,"$PWD/linked"
    refused "program was built for Open MPI \(libmpi.so.40\) and .*libsolver.so for MPICH \(libmpich.so.12\): .*both for the same"
    ;;
  mixed_standard)
    solver libmpi_abi.so.0
    program -Wl,--no-as-needed linked/libmpi.so.40 libsolver.so -Wl,-rpath-link,"$PWD/linked"
    refused "program was built for Open MPI \(libmpi.so.40\) and .*libsolver.so for the standard ABI \(libmpi_abi.so.0\)"
    ;;
  loaded)
    solver libmpich.so.12
    gcc -x c - -x none -o program linked/libmpi.so.40 <<'END'
#include <dlfcn.h>
#include <stdio.h>
int MPI_Init(int*, char***), MPI_Finalize(void);
int main(void) {
  MPI_Init(0, 0);
  if (!dlopen("./libsolver.so", RTLD_NOW)) puts(dlerror());
  return MPI_Finalize();
}
END
    "$skein" run -n 2 ./program | tee said
    grep -qE "libsolver.so was built for MPICH \(libmpich.so.12\) and .*program for Open MPI \(libmpi.so.40\): .*both for the same" said
    ;;
  missing)
    library libneeded.so libneeded.so.3 "$init"
    program libneeded.so
    refused "libneeded.so.3, which .*program needs, is not found: add its directory to LD_LIBRARY_PATH"
    ;;
  missing_above)
    mkdir linked
    library linked/libmpifort.so.12 libmpifort.so.12 'void mpi_init_(int* error) { *error = 0; }'
    echo 'void mpi_init_(int*); int main(void) { int error; mpi_init_(&error); return error; }' |
      gcc -x c - -x none -o program linked/libmpifort.so.12
    refused "libmpifort.so.12, which .*program needs, is not found: install MPICH, or add its directory to LD_LIBRARY_PATH"
    ;;
  static_mpi)
    echo "$init"'int PMPI_Init(int* c, char*** v) { return MPI_Init(c, v); } int main(void) { return PMPI_Init(0, 0); }' |
      gcc -x c - -o program
    refused "program has its MPI inside, linked statically: .*link it to the shared library of that MPI"
    ;;
  static)
    echo 'int main(void) { return 0; }' | gcc -static -x c - -o program
    refused "program is linked statically"
    ;;
  narrow)
    echo 'int main(void) { return 0; }' | gcc -x c - -o program
    printf '\x01' | dd of=program bs=1 seek=4 conv=notrunc status=none  # EI_CLASS: 32 bits
    printf '\x03' | dd of=program bs=1 seek=18 conv=notrunc status=none # e_machine: 80386
    refused "program is built for 32-bit x86; Skein runs 64-bit x86-64 programs"
    ;;
  shell)
    printf '#!/usr/bin/env bash\nexec true\n' >program
    chmod +x program
    refused "program is a script of bash, which starts other programs"
    ;;
  nameless)
    printf '#! \n' >program
    chmod +x program
    refused "program is a script whose first line names no interpreter"
    ;;
esac
