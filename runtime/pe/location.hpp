// SPDX-License-Identifier: Apache-2.0
// Which PE each rank is on. Every PE knows it of every rank, exactly: ranks move only in LB steps, which all
// PEs make together, while no message is under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/base/pe_runtime.hpp"

namespace skein::pe {

struct Location {
  std::vector<int> pe_of_rank;  ///< constant between LB steps
  /// Grows whenever pe_of_rank changes, alike on all PEs: what was computed from it holds for one generation.
  /// From 1.
  std::uint64_t placement_generation = 1;
};
extern PerRuntime<Location> location;

inline int pe_of(int rank) { return location->pe_of_rank[static_cast<std::size_t>(rank)]; }
inline bool is_here(int rank) { return pe_of(rank) == own_pe; }

}  // namespace skein::pe
