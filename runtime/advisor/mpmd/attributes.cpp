// SPDX-License-Identifier: Apache-2.0
// MPI's own attributes of its world (MPI_TAG_UB and the like) are read there; the program's attributes are at
// the world of the application.

#include <mpi.h>

#include "runtime/advisor/mpmd/next.hpp"
#include "runtime/advisor/mpmd/world.hpp"

using skein::mpmd::is_replaced;
using skein::mpmd::is_world;
using skein::mpmd::next_of;
using skein::mpmd::of_application;

namespace skein::mpmd {

bool is_kept_by_mpi(int keyval) {
  return keyval == MPI_TAG_UB || keyval == MPI_HOST || keyval == MPI_IO || keyval == MPI_WTIME_IS_GLOBAL ||
         keyval == MPI_UNIVERSE_SIZE || keyval == MPI_APPNUM || keyval == MPI_LASTUSEDCODE;
}

}  // namespace skein::mpmd

namespace {
using GetAttribute = int(MPI_Comm, int, void*, int*);

int get(const char* name, MPI_Comm comm, int keyval, void* value, int* flag) {
  const bool is_of_world = is_replaced() && is_world(comm) && skein::mpmd::is_kept_by_mpi(keyval);
  return next_of<GetAttribute>(name)(is_of_world ? MPI_COMM_WORLD : of_application(comm), keyval, value,
                                     flag);
}
}  // namespace

#pragma GCC visibility push(default)
extern "C" {
int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag) {
  return get("MPI_Comm_get_attr", comm, keyval, value, flag);
}
int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag) {
  return get("PMPI_Comm_get_attr", comm, keyval, value, flag);
}
int MPI_Attr_get(MPI_Comm comm, int keyval, void* value, int* flag) {
  return get("MPI_Attr_get", comm, keyval, value, flag);
}
int PMPI_Attr_get(MPI_Comm comm, int keyval, void* value, int* flag) {
  return get("PMPI_Attr_get", comm, keyval, value, flag);
}
}
#pragma GCC visibility pop
