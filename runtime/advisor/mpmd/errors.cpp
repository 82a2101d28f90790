// SPDX-License-Identifier: Apache-2.0
// The error handler of MPI_COMM_WORLD also handles errors that belong to no communicator: the library takes
// it from its own world, so both worlds get it.
#include <mpi.h>

#include "runtime/advisor/mpmd/next.hpp"
#include "runtime/advisor/mpmd/world.hpp"

using skein::mpmd::is_replaced;
using skein::mpmd::is_world;
using skein::mpmd::next_of;
using skein::mpmd::of_application;

namespace {
using SetHandler = int(MPI_Comm, MPI_Errhandler);

int set(const char* name, MPI_Comm comm, MPI_Errhandler handler) {
  if (is_replaced() && is_world(comm))
    next_of<SetHandler>("PMPI_Comm_set_errhandler")(MPI_COMM_WORLD, handler);
  return next_of<SetHandler>(name)(of_application(comm), handler);
}
}  // namespace

#pragma GCC visibility push(default)
extern "C" {
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return set("MPI_Comm_set_errhandler", comm, handler);
}
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return set("PMPI_Comm_set_errhandler", comm, handler);
}
// Functions of MPI 1 that some mpi.h lack, but not the libraries.
#undef MPI_Errhandler_set
#undef PMPI_Errhandler_set
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
  return set("MPI_Errhandler_set", comm, handler);
}
int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
  return set("PMPI_Errhandler_set", comm, handler);
}
}
#pragma GCC visibility pop
