// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/fortran/sentinels.hpp"

alignas(64) MPI_Fint skein_mpi_sentinels_[32];

namespace skein::vmpi::fortran {

std::size_t sentinels_offset = 0;
bool sentinels_in_slot = false;

void place_sentinels(std::optional<std::size_t> offset_in_slot) {
  sentinels_in_slot = offset_in_slot.has_value();
  sentinels_offset = offset_in_slot.value_or(0);
}

}  // namespace skein::vmpi::fortran
