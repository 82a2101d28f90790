// SPDX-License-Identifier: Apache-2.0
// Fortran's special arguments. MPI_IN_PLACE, MPI_STATUS_IGNORE and others are variables in Fortran,
// recognised by their address. All are in one COMMON block, `skein_mpi_sentinels`, which mpif.h and the
// module declare.
//
// Each rank has its own copy of the program, so its own block. But a program's image is at the same offset in
// the contents of all slots: the block's address is that of the contents plus a number that the job never
// changes, and telling a special argument from a buffer costs one subtraction and one comparison. The loader
// finds the block by its symbol, which stripping leaves: the linker exports it from the program because the
// stub library defines it as well. A program without this block (with Fortran only in a library that refers
// to it through its GOT) gets the launcher's, whose address is the same for all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/arena/arena.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/vmpi/api.hpp"
#include "runtime/vmpi/settings.hpp"

namespace skein::vmpi::fortran {

/// The symbol to look for in the program's images.
inline constexpr const char* kSentinelsSymbol = "skein_mpi_sentinels_";

/// Sets where the programs of ranks have the block: at this offset in the slot's contents, or nowhere. Called
/// once, before any rank runs.
inline void place_sentinels(std::optional<std::size_t> offset_in_slot) {
  settings.sentinels_in_slot = offset_in_slot.has_value();
  settings.sentinels = offset_in_slot.value_or(0);
}

/// Returns the calling rank's block.
inline std::uintptr_t sentinels() {
  if (!settings.sentinels_in_slot) return reinterpret_cast<std::uintptr_t>(skein_mpi_sentinels_);
  const auto slot = static_cast<std::size_t>(current_rank()->id);
  return reinterpret_cast<std::uintptr_t>(arena::contents_address(slot)) + settings.sentinels;
}

/// Returns the index of the INTEGER in the block to which `argument` points (SKEIN_MPI_F_...), or -1 if it
/// points elsewhere.
inline int sentinel(const void* argument) {
  const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(argument) - sentinels();
  return distance < sizeof(skein_mpi_sentinels_) ? static_cast<int>(distance / sizeof(MPI_Fint)) : -1;
}

/// Returns a choice buffer for C, with MPI_BOTTOM, MPI_IN_PLACE and MPI_BUFFER_AUTOMATIC replaced.
inline void* buffer_of(void* argument) {
  switch (sentinel(argument)) {
    case SKEIN_MPI_F_BOTTOM:
      return MPI_BOTTOM;
    case SKEIN_MPI_F_IN_PLACE:
      return MPI_IN_PLACE;
    case SKEIN_MPI_F_BUFFER_AUTOMATIC:
      return MPI_BUFFER_AUTOMATIC;
    default:
      return argument;
  }
}
inline const void* buffer_of(const void* argument) { return buffer_of(const_cast<void*>(argument)); }
inline bool is_in_place(const void* argument) { return sentinel(argument) == SKEIN_MPI_F_IN_PLACE; }

/// Returns a status, or an array of statuses, to be filled in.
inline MPI_Status* status_of(MPI_Fint* argument) {
  const int which = sentinel(argument);
  const bool ignore = which == SKEIN_MPI_F_STATUS_IGNORE || which == SKEIN_MPI_F_STATUSES_IGNORE;
  return ignore ? MPI_STATUS_IGNORE : reinterpret_cast<MPI_Status*>(argument);
}

/// Returns the weights of a distributed graph.
inline MPI_Fint* weights_of(MPI_Fint* argument) {
  switch (sentinel(argument)) {
    case SKEIN_MPI_F_UNWEIGHTED:
      return MPI_UNWEIGHTED;
    case SKEIN_MPI_F_WEIGHTS_EMPTY:
      return MPI_WEIGHTS_EMPTY;
    default:
      return argument;
  }
}

}  // namespace skein::vmpi::fortran
