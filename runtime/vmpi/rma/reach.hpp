// SPDX-License-Identifier: Apache-2.0
// How an origin comes to a target's memory.
#pragma once

#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {

/// Where an operation goes, in the units of MPI.
struct Target {
  int rank = 0;  ///< of the window
  MPI_Aint displacement = 0;
};

/// Whether the target's window object is in memory that this PE maps, for as long as no rank moves.
bool sees_window(const Window& window, int target);

/// Where the displacement points to. The window object is to be in sight.
inline std::byte* address_in(const Window& at, MPI_Aint displacement) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(at.base) + displacement * at.unit);
}

/// Whether the bytes belong to the window of that rank. Of dynamic windows: only from the rank's own PE.
bool inside(const Window& at, const std::byte* begin, std::size_t bytes);

/// What there is to do for an operation on these bytes of a target.
enum class Reach {
  direct,   ///< they can be read and written from here
  message,  ///< by the target's PE
  outside   ///< they are not in the window: MPI_ERR_RMA_RANGE
};
/// Precondition: sees_window().
Reach reach(const Window& window, int target, const std::byte* begin, std::size_t bytes);

}  // namespace skein::vmpi
