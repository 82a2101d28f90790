// SPDX-License-Identifier: Apache-2.0
// Passes the open descriptors of moving ranks between PEs of a node, through sockets in the abstract
// namespace.
#pragma once

#include <span>
#include <vector>

namespace skein::net {

/// Makes this PE's socket. Collective over all PEs (they agree on names).
void open_descriptor_channel();

/// Sends a rank's descriptors to the PE it moves to. Nothing happens when there are none.
void pass_descriptors(int pe, int rank, std::span<const int> descriptors);
/// The `count` descriptors of a rank that arrived. All PEs have passed theirs on.
std::vector<int> take_descriptors(int rank, std::size_t count);

}  // namespace skein::net
