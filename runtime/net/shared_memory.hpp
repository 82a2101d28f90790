// SPDX-License-Identifier: Apache-2.0
// Memory that the PEs of a node share.
#pragma once

#include <cstddef>

namespace skein::net {

/// Whether share_memory() has a way to the other PEs: not where the descriptor channel is not open, or does
/// not reach them. The same on all PEs.
bool can_share_memory();

/// So many bytes, all zero and in whole pages, that each PE of this node maps; only those that are touched
/// take memory. Collective over all PEs, which need not ask for the same number but on one node, with the
/// descriptor channel open; from a PE's own stack. Null on all PEs of the job where it cannot be had on one
/// of them, of which PE 0 warns: `consequence` says what becomes of it. Whoever gets it unmaps it. `file`, if
/// it is asked for, is the memory's, and the caller's to close.
std::byte* share_memory(std::size_t bytes, const char* consequence, int* file = nullptr);

}  // namespace skein::net
