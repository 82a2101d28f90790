// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// Whether what that PE has in the slots of its ranks is there for this PE, too: both are on one node, and
/// the arena is node-shared.
bool shares_arena_with(int pe);
/// Whether these bytes are in slots, and there in parts that all PEs see that share the arena: program text
/// and constants are mapped by each PE for itself. `bytes` > 0.
bool mapped_by_all(const void* address, std::size_t bytes);

/// Whether all PEs that share the arena can read such data, of whatever datatype, at the addresses that it
/// has here: it and its datatype are in parts of a slot that are mapped by all, and it is there while its
/// rank is switched out.
bool seen_by_node(const Data& data);

/// Whether this PE can read the data of a send that a rank on `pe` has under way, of whatever datatype, at
/// the addresses that they have there: both are on one node, the arena is node-shared, and the request, the
/// data and the datatype are in parts of a slot that are (program text and constants are mapped by each PE
/// for itself). Looks into the request once that is known of it.
bool seen_from_here(int pe, const Request& send);

}  // namespace skein::vmpi
