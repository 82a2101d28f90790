// SPDX-License-Identifier: Apache-2.0
// Reductions: each PE combines the contributions of its elements and the partial results of PEs below it in
// the tree over all PEs, and sends the result towards the root, PE 0, when all its elements have contributed,
// or when the PE is idle. The root counts contributions, so elements may be anywhere while they contribute.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace skein::chare {

/// Sends the partial results of this PE towards the root. Returns true if there were any.
bool flush_reductions();

/// Tells the root that elements end: the first of this array, the others of arrays bound to it.
struct FamilyEnd {
  std::uint32_t array;
  std::uint32_t number;  ///< the next reduction that it would have contributed to
};
void send_end_of_family(std::uint32_t array, std::span<const FamilyEnd> ends);

// ---- at the root

/// Notes the number of elements of a new array.
void expect_contributions(std::uint32_t array, std::uint64_t elements);
/// Notes that `elements` elements are being inserted. Returns the first reduction that waits for them.
std::uint32_t note_births(std::uint32_t array, std::uint32_t elements);
/// Notes that an element is being inserted whose first reduction is known.
void note_birth_at(std::uint32_t array, std::uint32_t first_reduction);
struct AtRoot;  // elements_state.hpp
AtRoot& at_root(std::uint32_t array);
/// Returns the arrays with a creation, in their order.
std::vector<AtRoot*> created_arrays();
/// Returns the number of elements, those being inserted included.
std::uint64_t elements(std::uint32_t array);

}  // namespace skein::chare
