// SPDX-License-Identifier: Apache-2.0
// Fortran under Open MPI: all three of its interfaces turn the handle into a communicator by PMPI_Comm_f2c
// and call PMPI_ functions of C, which replace the world (generate.py). Only attributes are read and set by
// functions inside the library, so for them the handle must become the right communicator at once.
#include <mpi.h>

#include "runtime/advisor/mpmd/next.hpp"
#include "runtime/advisor/mpmd/world.hpp"

using skein::mpmd::is_kept_by_mpi;
using skein::mpmd::next_of;
using skein::mpmd::of_application;

namespace {

using GetAttribute = void(MPI_Fint* comm, MPI_Fint* keyval, void* value, void* flag, MPI_Fint* error);

/// True while MPI's own attributes are read, which are at its world.
thread_local bool reads_of_world = false;

void get(const char* name, MPI_Fint* comm, MPI_Fint* keyval, void* value, void* flag, MPI_Fint* error) {
  reads_of_world = is_kept_by_mpi(*keyval);
  next_of<GetAttribute>(name)(comm, keyval, value, flag, error);
  reads_of_world = false;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

/// MPI_Comm_f2c, which programs in C call, gives them the MPI_COMM_WORLD that they know.
MPI_Comm PMPI_Comm_f2c(MPI_Fint handle) {
  const MPI_Comm comm = next_of<decltype(::PMPI_Comm_f2c)>("PMPI_Comm_f2c")(handle);
  return reads_of_world ? comm : of_application(comm);
}

// Defines one function under all the names that compilers use.
#define SKEIN_GET_ATTRIBUTE(name)                                                         \
  void name(MPI_Fint* comm, MPI_Fint* keyval, void* value, void* flag, MPI_Fint* error) { \
    get(#name, comm, keyval, value, flag, error);                                         \
  }
#define SKEIN_GET_ATTRIBUTE_NAMES(lower, upper) \
  SKEIN_GET_ATTRIBUTE(lower)                    \
  SKEIN_GET_ATTRIBUTE(lower##_)                 \
  SKEIN_GET_ATTRIBUTE(lower##__)                \
  SKEIN_GET_ATTRIBUTE(upper)
SKEIN_GET_ATTRIBUTE_NAMES(mpi_comm_get_attr, MPI_COMM_GET_ATTR)
SKEIN_GET_ATTRIBUTE_NAMES(pmpi_comm_get_attr, PMPI_COMM_GET_ATTR)
SKEIN_GET_ATTRIBUTE_NAMES(mpi_attr_get, MPI_ATTR_GET)
SKEIN_GET_ATTRIBUTE_NAMES(pmpi_attr_get, PMPI_ATTR_GET)
SKEIN_GET_ATTRIBUTE(ompi_comm_get_attr_f)
SKEIN_GET_ATTRIBUTE(ompi_attr_get_f)
}
#pragma GCC visibility pop
