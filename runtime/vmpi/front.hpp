// SPDX-License-Identifier: Apache-2.0
// What the fronts of functions are written with (api/fronts.py): those checks of arguments that follow from
// the table of functions. From a rank, before MPI_Init and after MPI_Finalize too.
#pragma once

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// MPI_INFO_NULL, MPI_INFO_ENV, or one of the rank's.
inline bool is_info(MPI_Info info) {
  return info == MPI_INFO_NULL || info == MPI_INFO_ENV || current_state().infos.find(info);
}

/// Raises the error through the handler of the object, or where errors go that belong to none.
[[gnu::cold]] int refuse(const char* function, MPI_Comm owner, int error_class, const char* why);
[[gnu::cold]] int refuse(const char* function, MPI_Win owner, int error_class, const char* why);
[[gnu::cold]] int refuse(const char* function, MPI_File owner, int error_class, const char* why);
[[gnu::cold]] int refuse(const char* function, MPI_Session owner, int error_class, const char* why);

}  // namespace skein::vmpi
