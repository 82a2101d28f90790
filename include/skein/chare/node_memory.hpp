// SPDX-License-Identifier: Apache-2.0
// Memory that the PEs of a node share, in which each of them allocates. It may be at another address on each,
// so what is there has a place: its distance from the beginning.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::chare {

/// Where this PE has it. Where PEs cannot share memory it is a PE's own, and places mean nothing elsewhere.
extern std::byte* node_memory;

inline constexpr std::uint64_t kNoPlace = 0;
/// Aligned to 64 bytes, or to a page from 64 KiB on. Ends the job when this PE's part is used up. Any PE may
/// use the memory; the one that allocated it gives it back.
std::uint64_t allocate_on_node(std::size_t bytes);
void free_on_node(std::uint64_t place, std::size_t bytes);

/// While static objects are made: the job has such memory.
bool want_node_memory();

}  // namespace skein::chare
