// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace skein {

/// Whether a symbol belongs to MPI's C or Fortran interface (its profiling names included).
inline bool is_mpi_name(std::string_view name) {
  if (name.starts_with('P') || name.starts_with('p')) name.remove_prefix(1);
  return name.starts_with("MPI_") || name.starts_with("mpi_") || name.starts_with("MPIX_");
}

}  // namespace skein
