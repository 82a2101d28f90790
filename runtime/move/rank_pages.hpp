// SPDX-License-Identifier: Apache-2.0
// Which pages of its slot a rank's memory lies in: what a copying move of it sends.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/arena/arena.hpp"

namespace skein {
struct Rank;
}

namespace skein::move {

/// Where the memory of the rank of a slot lies, in whole pages: its stack from `stack_begin` up and its
/// control block; the writable parts of its image, the last one together with the heap up to `heap_end`.
std::vector<arena::Range> memory_of(std::size_t slot, const void* stack_begin, const void* heap_end);

/// The pages of a rank that a copying move sends; the rank does not run. Below saved stack pointers lies
/// nothing but what functions left behind.
std::vector<arena::Range> pages_of(const Rank& rank);

/// About what those are, in bytes, for a strategy or a recording to know, of a rank on this PE, which may
/// run: the pages that held data when they were last counted, and what its heap has grown or shrunk by since.
/// They are counted in the first call, the second, the fourth and so on up to every 64th, which takes some 3
/// ns a page.
std::uint64_t bytes_to_copy(Rank& rank);

}  // namespace skein::move
