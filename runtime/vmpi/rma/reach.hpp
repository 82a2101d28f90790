// SPDX-License-Identifier: Apache-2.0
// The ways of an origin to a target's memory.
#pragma once

#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {

/// The target of an operation, in the units of MPI.
struct Target {
  int rank = 0;  ///< in the window
  MPI_Aint displacement = 0;
};

/// Returns true if the target's window object is in memory that this PE maps, as long as no rank moves.
bool sees_window(const Window& window, int target);

/// Returns the address at a displacement. This PE must see the window object.
inline std::byte* address_in(const Window& at, MPI_Aint displacement) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(at.base) + displacement * at.unit);
}

/// Returns true if the bytes belong to the rank's window. For dynamic windows: only on the rank's own PE.
bool inside(const Window& at, const std::byte* begin, std::size_t bytes);

/// How an operation reaches these bytes of a target.
enum class Reach {
  direct,   ///< this PE can read and write them
  message,  ///< the target's PE does it
  outside   ///< they are not in the window: MPI_ERR_RMA_RANGE
};
/// Precondition: sees_window().
Reach reach(const Window& window, int target, const std::byte* begin, std::size_t bytes);

}  // namespace skein::vmpi
