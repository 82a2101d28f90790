// SPDX-License-Identifier: Apache-2.0
// Loops that PEs of a node share (skein/parallel_for.hpp). Each PE has a place in the head of the node's
// memory, where it publishes its loop; idle PEs join it, one chunk at a time, and leave it. The owner
// withdraws the loop when no chunks are left, and waits until no PE is in it.
#pragma once

#include <cstddef>

namespace skein::chare {

/// Returns the size of the head of the node's memory, for the PEs of this job; 0: the program has no such
/// loops.
std::size_t loop_head_bytes();
/// Sets the loops up. On every PE, once, after open_node_memory(), if the rings are open.
void start_loops();

/// Runs a chunk of another PE's loop. Returns false if there is none. Called by the PE's loop when idle.
bool help_one_loop();
/// Returns the owner of the chunk that runs here: "a loop of Cell{3} in Cell::work", or null.
const char* helped_loop();

}  // namespace skein::chare
