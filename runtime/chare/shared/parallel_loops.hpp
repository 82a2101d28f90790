// SPDX-License-Identifier: Apache-2.0
// Loops that PEs of a node share (skein/parallel_for.hpp). Each PE has a place in the head of the node's
// memory, where it puts up its loop; others that are idle join it, one chunk at a time, and leave it. Who put
// it up takes it down when there are no chunks left to take, and waits until nobody is in it.
#pragma once

#include <cstddef>

namespace skein::chare {

/// The size of the head of the node's memory, for the PEs of this job; 0: the program has no such loops.
std::size_t loop_head_bytes();
/// After open_node_memory(). On every PE, once, if the rings are open.
void start_loops();

/// Runs a chunk of another PE's loop, if there is one to run. For the PE's loop, when it is idle.
bool help_one_loop();
/// Whose loop a chunk runs here for: "a loop of Cell{3} in Cell::work", or null.
const char* helped_loop();

}  // namespace skein::chare
