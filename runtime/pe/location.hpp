// SPDX-License-Identifier: Apache-2.0
// Which PE each rank is on. Every PE knows it of every rank, exactly: ranks move only in LB steps, which all
// PEs make together, while no message is under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/base/upcalls.hpp"

namespace skein::pe {

/// Index: rank. Constant between LB steps.
extern std::vector<int> pe_of_rank;
/// Grows whenever pe_of_rank changes, alike on all PEs: what was computed from it holds for one generation.
/// From 1.
extern std::uint64_t placement_generation;

inline int pe_of(int rank) { return pe_of_rank[static_cast<std::size_t>(rank)]; }
inline bool is_here(int rank) { return pe_of(rank) == own_pe; }

}  // namespace skein::pe
