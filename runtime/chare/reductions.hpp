// SPDX-License-Identifier: Apache-2.0
// Reductions: each PE combines what its elements contribute and sends it to the root, PE 0, when all of them
// have, or when the PE has nothing else to do. The root counts: the numbers hold wherever elements are while
// they contribute.
#pragma once

#include <cstdint>

namespace skein::chare {

/// Sets the receivers. On every PE, once.
void start_reductions();

/// Sends what this PE has combined so far to the root. Returns whether there was anything.
bool flush_reductions();

// ---- at the root

/// A new array has so many elements.
void expect_contributions(std::uint32_t array, std::uint64_t elements);
/// An element is being inserted. Returns the first reduction that waits for it.
std::uint32_t note_birth(std::uint32_t array);

}  // namespace skein::chare
