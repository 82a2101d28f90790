// SPDX-License-Identifier: Apache-2.0
// Used by the fronts of functions (api/fronts.py): checks of arguments that follow from the table of
// functions. Called from a rank, also before MPI_Init and after MPI_Finalize.
#pragma once

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Returns true for MPI_INFO_NULL, MPI_INFO_ENV, and info objects of the rank.
inline bool is_info(MPI_Info info) {
  return info == MPI_INFO_NULL || info == MPI_INFO_ENV || current_state().infos.find(info);
}

/// Raise the error through the handler of the object, or through the handler for errors that belong to no
/// object.
[[gnu::cold]] int refuse(const char* function, MPI_Comm owner, int error_class, const char* why);
[[gnu::cold]] int refuse(const char* function, MPI_Win owner, int error_class, const char* why);
[[gnu::cold]] int refuse(const char* function, MPI_File owner, int error_class, const char* why);
[[gnu::cold]] int refuse(const char* function, MPI_Session owner, int error_class, const char* why);

}  // namespace skein::vmpi
