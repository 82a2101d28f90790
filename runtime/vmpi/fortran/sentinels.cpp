// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/fortran/sentinels.hpp"

alignas(64) MPI_Fint skein_mpi_sentinels_[32];

namespace skein::vmpi::fortran {

SentinelPlace sentinel_place;

void place_sentinels(std::optional<std::size_t> offset_in_slot) {
  sentinel_place = {offset_in_slot.has_value(), offset_in_slot.value_or(0)};
}

}  // namespace skein::vmpi::fortran
