// SPDX-License-Identifier: Apache-2.0
// Passes open descriptors between the PEs of a node: the memory file, the standard streams, the files of
// ranks that move. descriptor_socket.hpp says how strangers are kept out.
//
// All functions are for the PE's own stack, and never switch. A PE that waits until another takes descriptors
// serves its own socket meanwhile: in pass_descriptors(), arrive_descriptors() and serve_descriptors().
#pragma once

#include <span>
#include <vector>

namespace skein::net {

/// Opens this PE's end, and finds out whether each PE of a node reaches all others. Collective, once.
void open_descriptor_channel();
/// Closes this PE's end at the end of the job, and the descriptors that arrived and were not taken.
void close_descriptor_channel();
/// Returns true if each PE of a node reaches all others; the same on all PEs. It is false where PEs that
/// share memory are in different network namespaces.
bool can_pass_descriptors();

/// Passes descriptors to a PE of this node, which gets descriptors of its own for the same open files and
/// asks for them by `key`. Receives what other PEs send meanwhile. Does nothing if `descriptors` is empty.
/// Precondition: can_pass_descriptors().
void pass_descriptors(int pe, int key, std::span<const int> descriptors);
/// Receives the descriptors that have come. Returns true if there were any.
bool serve_descriptors();
/// Waits until all descriptors that any PE has passed are at their receivers. Collective.
void arrive_descriptors();
/// Returns the `count` descriptors that came with `key` before the last arrive_descriptors(). Ends the job if
/// they did not come: this process is then at its limit of open files.
std::vector<int> take_descriptors(int key, std::size_t count);

}  // namespace skein::net
