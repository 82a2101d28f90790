// SPDX-License-Identifier: Apache-2.0
// Statuses as objects: reading and setting their members (MPI 4.1, 3.2.5, 13.3) and their forms in Fortran
// (19.3.5). Counts are in datatype/api_elements.cpp.
#include <cstring>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/fortran/sentinels.hpp"
#include "runtime/vmpi/p2p/status.hpp"

namespace skein::vmpi {
namespace {

/// Gets one member. MPI_STATUS_IGNORE is an error, as its null pointer is no status.
int get_member(const char* function, int MPI_Status::*member, const MPI_Status* status, int* value) {
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, status, "status"));
  *value = status->*member;
  return MPI_SUCCESS;
}

int set_member(const char* function, int MPI_Status::*member, MPI_Status* status, int value) {
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, status, "status"));
  status->*member = value;
  return MPI_SUCCESS;
}

/// Converts between forms of a status. All three have the same eight integers, the first three of which are
/// the members.
int convert(const char* function, const void* from, void* to) {
  static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint));
  static_assert(sizeof(MPI_F08_status) == sizeof(MPI_Status));
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, from, "status to be converted"));
  SKEIN_TRY(check_pointer(call, nullptr, to, "status to be set"));
  if (fortran::sentinel(from) >= 0 || fortran::sentinel(to) >= 0)
    return raise(call, nullptr, MPI_ERR_ARG, "MPI_F_STATUS_IGNORE and MPI_F_STATUSES_IGNORE are no statuses");
  memcpy(to, from, sizeof(MPI_Status));
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Test_cancelled(const MPI_Status* status, int* flag) {
  ApiCall call("MPI_Test_cancelled");
  *flag = status_cancelled(*status);
  return MPI_SUCCESS;
}
int MPI_Status_set_cancelled(MPI_Status* status, int flag) {
  ApiCall call("MPI_Status_set_cancelled");
  set_status_cancelled(*status, flag != 0);
  return MPI_SUCCESS;
}

}  // extern "C"

#include "mpi_forwards_statuses.inc"
