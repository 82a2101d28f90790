// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// Returns true if this PE sees the slots of PE `pe`: both are on one node, and the arena is node-shared.
bool shares_arena_with(int pe);
/// Returns true if these bytes are in slots, in parts that all PEs see which share the arena. Program text
/// and constants are not: each PE maps them for itself. `bytes` > 0.
bool mapped_by_all(const void* address, std::size_t bytes);

/// Returns true if all PEs that share the arena can read this data, of whatever datatype, at its addresses
/// here: data and datatype are in parts of a slot that all map, and the data stays there while its rank is
/// switched out.
bool seen_by_node(const Data& data);

/// Returns true if this PE can read the data of an active send of a rank on `pe` at the sender's addresses:
/// both PEs are on one node, the arena is node-shared, and the request, the data and the datatype are in
/// shared parts of a slot (each PE maps program text and constants for itself). Reads the request only once
/// it is known to be visible.
bool seen_from_here(int pe, const Request& send);

}  // namespace skein::vmpi
