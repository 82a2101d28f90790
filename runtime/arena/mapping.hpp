// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/arena/arena.hpp"

namespace skein::arena {

/// What one page-table page maps.
inline constexpr std::size_t page_table_reach = std::size_t{2} << 20;

/// What the arena's memory is mapped with.
int usual_protection();

/// Memory of the arena again where something else was mapped into a slot: whole pages, that read as zeroes on
/// private pages, and as what the node's file has there on shared ones.
void map_again(Range range);

}  // namespace skein::arena
