// SPDX-License-Identifier: Apache-2.0
// Passes open descriptors between the PEs of a node: the memory file, the standard streams, the files of
// ranks that move. How strangers are kept out is in descriptor_socket.hpp.
//
// All functions are for the PE's own stack, and never switch. Nobody waits for another PE to take what it is
// passed but where that serves its own socket as well: in pass_descriptors() and arrive_descriptors(), and
// where serve_descriptors() is called.
#pragma once

#include <span>
#include <vector>

namespace skein::net {

/// Opens this PE's end, and finds out whether each PE of a node reaches all others. Collective, once.
void open_descriptor_channel();
/// At the end of the job. What came and was not taken is closed.
void close_descriptor_channel();
/// Whether they do; the same on all PEs. They do not where PEs that share memory are in different network
/// namespaces.
bool can_pass_descriptors();

/// Passes descriptors on to a PE of this node, which gets its own ones for the same open files. `key`: what
/// to ask for them by. Takes in what comes here meanwhile. Nothing happens when there are none. Precondition:
/// can_pass_descriptors().
void pass_descriptors(int pe, int key, std::span<const int> descriptors);
/// Takes in what has come. Returns whether anything had.
bool serve_descriptors();
/// Waits until all descriptors that any PE has passed are where they were sent. Collective.
void arrive_descriptors();
/// The `count` descriptors that came by that key before the last arrive_descriptors(). Ends the job if they
/// did not: then this process is at its limit of open files.
std::vector<int> take_descriptors(int key, std::size_t count);

}  // namespace skein::net
