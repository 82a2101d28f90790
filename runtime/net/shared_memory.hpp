// SPDX-License-Identifier: Apache-2.0
// Memory that the PEs of a node share.
#pragma once

#include <cstddef>

namespace skein::net {

/// Returns true if share_memory() can reach the other PEs: the descriptor channel is open and reaches them.
/// Equal on all PEs.
bool can_share_memory();

/// Returns `bytes` bytes of zeros, in whole pages, that each PE of this node maps; only touched pages take
/// memory. Collective over all PEs, from a PE's own stack, with the descriptor channel open; only PEs of one
/// node must ask for the same number. If one PE cannot have the memory, all PEs of the job get null, and PE 0
/// warns: `consequence` says what becomes of it. The caller unmaps the memory. `file`, if given, receives the
/// memory's descriptor, which the caller closes.
std::byte* share_memory(std::size_t bytes, const char* consequence, int* file = nullptr);

}  // namespace skein::net
