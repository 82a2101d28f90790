// SPDX-License-Identifier: Apache-2.0
// Memory that the PEs of a node share, in which each of them allocates: one mapping, of which pages are taken
// as they are touched. It may be at another address on each PE, so what is there has a place: its distance
// from the beginning. It begins with a head for the runtime; behind it each PE of the node has a part as
// large as the memory of the machine, so that none needs the others to allocate.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::chare {

struct NodeMemory {
  std::byte* begin = nullptr;  ///< where this PE has it
  bool wanted = false;         ///< said while static objects are made
  bool has_loops = false;      ///< in its head (skein/parallel_for.hpp); said then, too
  bool shared = false;         ///< else it is a PE's own, and places mean nothing elsewhere
};
extern NodeMemory node_memory;

inline constexpr std::uint64_t kNoPlace = 0;
/// Aligned to 64 bytes, or to a page from 64 KiB on. Ends the job when this PE's part is used up. Any PE may
/// use the memory; the one that allocated it gives it back.
std::uint64_t allocate_on_node(std::size_t bytes);
void free_on_node(std::uint64_t place, std::size_t bytes);

/// While static objects are made: the job has such memory.
bool want_node_memory();
/// Makes it, if the program wants it. Collective, once, with the descriptor channel open if it is to be.
/// `head_bytes`: the same on all PEs; all zero. Where it cannot be shared, PE 0 says so.
void open_node_memory(std::size_t head_bytes);

}  // namespace skein::chare
