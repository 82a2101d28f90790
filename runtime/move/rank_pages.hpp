// SPDX-License-Identifier: Apache-2.0
// The pages of its slot in which a rank's memory lies: what a copying move of it sends.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/arena/arena.hpp"

namespace skein {
struct Rank;
}

namespace skein::move {

/// Returns where the memory of a slot's rank lies, in whole pages: its stack from `stack_begin` up and its
/// control block; the writable parts of its image, the last one together with the heap up to `heap_end`.
std::vector<arena::Range> memory_of(std::size_t slot, const void* stack_begin, const void* heap_end);

/// Returns the pages of a rank that a copying move sends; the rank does not run. Excludes what lies below
/// saved stack pointers, which functions left behind.
std::vector<arena::Range> pages_of(const Rank& rank);

/// Estimates the bytes of pages_of(), for strategies and recordings, for a rank on this PE, which may run:
/// the pages that held data when they were last counted, and what its heap has grown or shrunk by since.
/// Pages are counted in the first call, the second, the fourth and so on up to every 64th, which takes some 3
/// ns a page.
std::uint64_t bytes_to_copy(Rank& rank);

}  // namespace skein::move
