// SPDX-License-Identifier: Apache-2.0
// The PE of each rank. Every PE knows the places of all ranks exactly: ranks move only in LB steps, which all
// PEs make together, while no message is under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/base/pe_runtime.hpp"

namespace skein::pe {

struct Location {
  std::vector<int> pe_of_rank;  ///< constant between LB steps
  /// Grows whenever pe_of_rank changes, alike on all PEs: a value computed from pe_of_rank is valid for one
  /// generation. Starts at 1.
  std::uint64_t placement_generation = 1;
};
extern PerRuntime<Location> location;

inline int pe_of(int rank) { return location->pe_of_rank[static_cast<std::size_t>(rank)]; }
inline bool is_here(int rank) { return pe_of(rank) == own_pe; }

}  // namespace skein::pe
