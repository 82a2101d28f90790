// SPDX-License-Identifier: Apache-2.0
// The memory of a node (skein/chare/node_memory.hpp): one mapping, of which pages are taken as they are
// touched. It begins with a head for the runtime; behind it each PE of the node has a part as large as the
// memory of the machine, so that none needs the others to allocate.
#pragma once

#include <cstddef>

#include "skein/chare/node_memory.hpp"

namespace skein::chare {

/// Makes it, if the program wants it. Collective, once, with the descriptor channel open if it is to be.
/// `head_bytes`: the same on all PEs; all zero. Where it cannot be shared, PE 0 says so.
void open_node_memory(std::size_t head_bytes);
/// Whether the PEs of a node share it; the same on all PEs. Not where it is not wanted.
bool node_memory_is_shared();

}  // namespace skein::chare
