// SPDX-License-Identifier: Apache-2.0
// Fortran under MPICH: its handles are those of C, and its interfaces call functions of C that replace the
// world (generate.py). Only those for attributes call the library's functions defined here.
#include <mpi.h>

#include "runtime/advisor/mpmd/next.hpp"
#include "runtime/advisor/mpmd/world.hpp"

using skein::mpmd::next_of;
using skein::mpmd::of_application;

#pragma GCC visibility push(default)
extern "C" {

int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag, int kind) {
  return next_of<decltype(::MPII_Comm_get_attr)>("MPII_Comm_get_attr")(of_application(comm), keyval, value,
                                                                       flag, kind);
}

int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void* value, int kind) {
  return next_of<decltype(::MPII_Comm_set_attr)>("MPII_Comm_set_attr")(of_application(comm), keyval, value,
                                                                       kind);
}
}
#pragma GCC visibility pop
