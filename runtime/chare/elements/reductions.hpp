// SPDX-License-Identifier: Apache-2.0
// Reductions: each PE combines what its elements contribute, and what PEs below it in the tree over all PEs
// have combined, and sends it up towards the root, PE 0, when all its elements have contributed, or when the
// PE has nothing else to do. The root counts: the numbers hold wherever elements are while they contribute.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace skein::chare {

/// Sends what this PE has combined so far to the root. Returns whether there was anything.
bool flush_reductions();

/// To the root: elements end, the first of this array and the others of arrays bound to it.
struct FamilyEnd {
  std::uint32_t array;
  std::uint32_t number;  ///< of the reduction that the element would have contributed to next
};
void send_end_of_family(std::uint32_t array, std::span<const FamilyEnd> ends);

// ---- at the root

/// A new array has so many elements.
void expect_contributions(std::uint32_t array, std::uint64_t elements);
/// So many elements are being inserted. Returns the first reduction that waits for them.
std::uint32_t note_births(std::uint32_t array, std::uint32_t elements);
/// An element is being inserted whose first reduction is known already.
void note_birth_at(std::uint32_t array, std::uint32_t first_reduction);
struct AtRoot;  // elements_state.hpp
AtRoot& at_root(std::uint32_t array);
/// Those with a creation, in their order.
std::vector<AtRoot*> created_arrays();
/// How many elements there are, those being inserted included.
std::uint64_t elements(std::uint32_t array);

}  // namespace skein::chare
