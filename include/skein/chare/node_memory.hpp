// SPDX-License-Identifier: Apache-2.0
// Memory that the PEs of a node share, in which each PE allocates: one mapping, whose pages are taken as they
// are touched. It may be at another address on each PE, so objects in it are named by place: the distance
// from the beginning. It begins with a head for the runtime; behind that each PE of the node has a part as
// large as the memory of the machine, so that PEs allocate independently.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::chare {

struct NodeMemory {
  std::byte* begin = nullptr;  ///< its address on this PE
  bool wanted = false;         ///< set while static objects are made
  bool has_loops = false;      ///< the head holds loops (skein/parallel_for.hpp); set then, too
  bool shared = false;         ///< false: private to this PE, and places mean nothing elsewhere
};
extern NodeMemory node_memory;

inline constexpr std::uint64_t kNoPlace = 0;
/// Allocates memory and returns its place, aligned to 64 bytes, or to a page from 64 KiB on. Ends the job
/// when this PE's part is used up. Any PE may use the memory; the PE that allocated it frees it.
std::uint64_t allocate_on_node(std::size_t bytes);
void free_on_node(std::uint64_t place, std::size_t bytes);

/// Requests such memory for the job. Called while static objects are made.
bool want_node_memory();
/// Makes the memory, if the program wants it. Collective, once, with the descriptor channel open if the
/// memory is to be shared. `head_bytes`: equal on all PEs; the head is zeroed. Where it cannot be shared, PE
/// 0 warns.
void open_node_memory(std::size_t head_bytes);

}  // namespace skein::chare
