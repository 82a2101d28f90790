# SPDX-License-Identifier: Apache-2.0
"""Compiles and links programs as users do: C, C++ and Fortran sources, the stub library, its message."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SKEIN_SOURCE"])
LIBRARY = Path(os.environ["SKEIN_LIBRARY"])
INCLUDE = ["-I", str(SOURCE / "include/skein/mpi")]
FORTRAN = [os.environ["FC"], "-I", str(LIBRARY / "skein/fortran"), "-Wall", "-Werror"]
STRICT = ["-Wall", "-Wextra", "-Wundef", "-pedantic", "-Werror"]
LINK = ["-L", str(LIBRARY), f"-Wl,-rpath,{LIBRARY}", "-lmpi_abi"]

C_PROGRAM = r"""
#include <stdio.h>
#include "mpi.h"
#if MPI_VERSION != 4 || MPI_SUBVERSION != 1
#error "version"
#endif
#if !defined(MPI_ERR_RMA_SHARED) || !defined(MPI_THREAD_MULTIPLE)
#error "constants are macros"
#endif
static MPI_Comm comm = MPI_COMM_WORLD;
static int kind(int value) {
  switch (value) { case MPI_ANY_SOURCE: return 1; case MPI_PROC_NULL: return 2; default: return 0; }
}
int main(int argc, char** argv) {
  MPI_Status status;
  MPI_Datatype type;
  int lengths[2] = {1, 1};
  MPI_Aint at[2] = {0, 8};
  MPI_Datatype types[2];
  int x[2] = {0, 0};
  int flag;
  types[0] = MPI_DOUBLE;
  types[1] = MPI_UB;
  printf("before MPI\n");
  MPI_Initialized(&flag);
  MPI_Init(&argc, &argv);
  MPI_Type_struct(2, lengths, at, types, &type);
  PMPI_Send(x, 2, MPI_INT, kind(MPI_PROC_NULL), 0, comm);
  MPI_Recv(x, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  MPI_Recv_c(x, (MPI_Count)2, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, MPI_STATUS_IGNORE);
  MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INT, MPI_SUM, comm);
  MPI_Pcontrol(1, "more");
  MPI_Migrate();
  AMPI_Migrate(AMPI_INFO_LB_SYNC);
  MPIX_Checkpoint();
  MPIX_Load_set(MPI_Wtime());
  return MPI_Finalize();
}
"""

FREE = """
program p
  {use}
  implicit none
  {include}
  integer :: i(4), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), requests(2), ierror, comm, newtype
  {mixed}
  integer(MPI_ADDRESS_KIND) :: address
  logical :: flag
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  double precision :: t
  external :: op
  call MPI_INIT(ierror)
  t = MPI_WTIME() + PMPI_WTIME() + MPI_WTICK()
  call MPI_GET_PROCESSOR_NAME(name, i(1), ierror)
  call MPI_IPROBE(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, flag, status, ierror)
  call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, ierror)
  call MPI_WAITALL(2, requests, statuses, ierror)
  call MPI_WAIT(requests(1), statuses(1, 2), ierror)
  call MPI_CART_CREATE(MPI_COMM_WORLD, 2, (/2, 2/), (/.true., .false./), .false., comm, ierror)
  call MPI_GET_ADDRESS(i, address, ierror)
  call MPI_TYPE_CREATE_RESIZED(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND, newtype, ierror)
  call MPI_OP_CREATE(op, .true., i(1), ierror)
  call MPI_BCAST(i, 4, MPI_INTEGER, 0, comm, ierror)
  call MPI_SEND(i, 4, MPI_INTEGER, MPI_PROC_NULL, 0, comm, ierror)
  {calls}
  call MPI_MIGRATE(ierror)
  call MPI_FINALIZE(ierror)
  print *, t, address, name, flag, newtype
end program
"""

MIXED = ["real(8) :: r(2, 3)", "complex :: z", "character(len=5) :: text", "real, allocatable :: a(:)"]
MIXED_CALLS = [
    "call MPI_SEND(r, 6, MPI_DOUBLE_PRECISION, 0, 0, comm, ierror)",
    "call MPI_SEND(r(1, 2), 2, MPI_REAL8, 0, 0, comm, ierror)",
    "call MPI_SEND(z, 1, MPI_COMPLEX, 0, 0, comm, ierror)",
    "call MPI_SEND(text, 5, MPI_CHARACTER, 0, 0, comm, ierror)",
    "call MPI_SEND(a, 5, MPI_REAL, 0, 0, comm, ierror)",
    "call MPI_SEND(MPI_BOTTOM, 1, newtype, 0, 0, comm, ierror)",
    "call MPI_ALLREDUCE(MPI_IN_PLACE, r, 6, MPI_REAL8, MPI_MAX, comm, ierror)",
    "call MPI_SIZEOF(z, i(1), ierror)",
]


def by_module():
    return FREE.format(use="use mpi", include="", mixed="\n  ".join(MIXED), calls="\n  ".join(MIXED_CALLS))


F08 = """
program p
  use mpi_f08
  implicit none
  integer :: i(4)
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  call MPI_Init()
  call MPI_Isend(i, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
  call MPI_Wait(request, status)
  if (status%MPI_TAG == 0 .and. request /= MPI_REQUEST_NULL) call MPI_Abort(MPI_COMM_WORLD, {code})
end program
"""


def by_include():
    return FREE.format(use="", include="include 'mpif.h'", mixed="", calls="")


def fixed_form(text):
    """Returns the program in fixed form: shifted, with continuation lines."""
    lines = []
    for line in text.splitlines():
        line = line.strip()
        first = True
        while line:
            lines.append(("      " if first else "     &") + line[:66])
            line, first = line[66:], False
    return "\n".join(lines) + "\n"


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="skein_headers_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def compile(self, text, name, *command):
        """Compiles or links `text`; fails the test with the compiler's messages."""
        source = self.folder / name
        source.write_text(text)
        result = subprocess.run([*command[:1], str(source), *command[1:]], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")

    def run_alone(self, program):
        return subprocess.run([str(self.folder / program)], capture_output=True, text=True)

    def check_message(self, result, function):
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{function}: this program was built for Skein", result.stderr)
        self.assertIn(f"skein run -p P -n N {self.folder / 'program'}", result.stderr)

    def test_c(self):
        for compiler in {os.environ["CC"], "gcc", "clang"}:
            if shutil.which(compiler):
                for standard in ("c99", "c11"):
                    flags = [f"-std={standard}", *STRICT, *INCLUDE, "-fsyntax-only"]
                    self.compile(C_PROGRAM, "program.c", compiler, *flags)

    def test_cxx(self):
        for compiler in {os.environ["CXX"], "g++", "clang++"}:
            if shutil.which(compiler):
                for standard in ("c++11", "c++20"):
                    flags = [f"-std={standard}", *STRICT, *INCLUDE, "-fsyntax-only"]
                    self.compile(C_PROGRAM, "program.cpp", compiler, *flags)

    def test_fortran_by_module(self):
        self.compile(by_module(), "program.f90", *FORTRAN, "-fsyntax-only")
        self.compile(fixed_form(by_module()), "program.f", *FORTRAN, "-fsyntax-only")

    def test_fortran_by_include(self):
        self.compile(by_include(), "program.f90", *FORTRAN, "-Wno-unused", "-fsyntax-only")
        self.compile(fixed_form(by_include()), "program.f", *FORTRAN, "-Wno-unused", "-fsyntax-only")

    def test_module_finds_wrong_arguments(self):
        text = by_module().replace("call MPI_SEND(i, 4, MPI_INTEGER,", "call MPI_SEND(i, 4.0, MPI_INTEGER,")
        source = self.folder / "program.f90"
        source.write_text(text)
        result = subprocess.run([*FORTRAN, "-fsyntax-only", str(source)], capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("count", result.stderr)

    def test_fortran_by_module_f08(self):
        self.compile(F08.format(code="1"), "program.f90", *FORTRAN, "-fsyntax-only")
        both = "program p\n  use mpi, only: MPI_STATUS_SIZE\n  use mpi_f08, only: MPI_Comm\n  type(MPI_Comm) :: comm\n"
        self.compile(both + "  comm%MPI_VAL = MPI_STATUS_SIZE\nend program\n", "both.f90", *FORTRAN, "-fsyntax-only")

    def test_module_f08_finds_wrong_handles(self):
        source = self.folder / "program.f90"
        source.write_text(F08.replace("MPI_COMM_WORLD, request", "MPI_INTEGER, request").format(code="1"))
        result = subprocess.run([*FORTRAN, "-fsyntax-only", str(source)], capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("specific subroutine", result.stderr)

    def test_program_alone_says_how_to_run_it(self):
        self.compile(C_PROGRAM, "program.c", os.environ["CC"], *INCLUDE, "-o", "program", *LINK)
        result = self.run_alone("program")
        self.assertEqual(result.stdout, "before MPI\n")  # nothing the program said is lost
        self.check_message(result, "MPI_Initialized")

    def test_fortran_program_alone_says_how_to_run_it(self):
        operation = "\nsubroutine op\nend subroutine\n"
        for text in (by_module(), by_include()):
            self.compile(text + operation, "program.f90", *FORTRAN, "-Wno-unused", "-o", "program", *LINK)
            self.check_message(self.run_alone("program"), "MPI_INIT")

    def test_special_arguments_can_be_found_in_stripped_programs(self):
        operation = "\nsubroutine op\nend subroutine\n"
        for linker in ("bfd", "gold", "lld"):
            if not shutil.which(f"ld.{linker}"):
                continue
            for text in (by_module(), by_include()):
                flags = ["-Wno-unused", "-s", f"-fuse-ld={linker}", "-o", "program"]
                self.compile(text + operation, "program.f90", *FORTRAN, *flags, *LINK)
                symbols = dynamic_symbols(self.folder / "program")
                self.assertIn(symbols.get("skein_mpi_sentinels_"), ("B", "D", "V"), linker)


def dynamic_symbols(path):
    """Returns {name: letter of nm}."""
    listed = subprocess.run(["nm", "-D", str(path)], capture_output=True, text=True, check=True).stdout
    fields = (line.split() for line in listed.splitlines())
    return {field[-1].partition("@")[0]: field[-2] for field in fields}


class StubLibrary(unittest.TestCase):
    def test_soname(self):
        text = subprocess.run(
            ["readelf", "-d", str(LIBRARY / "libmpi_abi.so")], capture_output=True, text=True, check=True
        ).stdout
        self.assertIn("Library soname: [libmpi_abi.so.0]", text)
        needed = [line for line in text.splitlines() if "(NEEDED)" in line]
        self.assertEqual(len(needed), 1, needed)  # the C library

    def test_every_function_is_there(self):
        symbols = dynamic_symbols(LIBRARY / "libmpi_abi.so")
        names = []
        for line in (SOURCE / "include/skein/mpi/skein_mpi_functions.h").read_text().splitlines():
            if line.startswith("SKEIN_MPI_FUNCTION("):
                names.append(line.split(", ")[1])
        self.assertGreater(len(names), 700)
        for name in names:
            self.assertEqual(symbols.get(name), "T", name)
            self.assertEqual(symbols.get("P" + name), "T", name)
        for name in ("mpi_init_", "pmpi_init_", "mpi_comm_dup_fn_", "mpi_sizeof_real8_", "mpi_alloc_mem_cptr_"):
            self.assertEqual(symbols.get(name), "T", name)
        self.assertIn(symbols.get("skein_mpi_sentinels_"), ("B", "D"))
        self.assertNotIn("stop", symbols)


if __name__ == "__main__":
    unittest.main()
