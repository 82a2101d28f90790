// SPDX-License-Identifier: Apache-2.0
// Counts and displacements of a collective that goes on after its call. The standard requires programs to
// leave these arrays alone until it is complete. Not all do: mpi4py frees those of Iallgatherv and
// Ireduce_scatter right after the call, in which other MPIs read them. So the collective has copies.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Copies of arrays in the slot, one behind the other.
struct KeptNumbers {
  std::int64_t* first = nullptr;
  std::size_t count = 0;
  std::size_t bytes() const { return count * sizeof(std::int64_t); }
};

/// Copies the arrays of `operation`, which refers to the copies from here on: free_numbers().
template <class Operation>
[[nodiscard]] KeptNumbers keep_numbers(RankState& state, const Comm& comm, Operation& operation) {
  KeptNumbers kept;
  operation.visit_numbers(comm, [&](const Numbers& numbers, int length) {
    if (!numbers.null()) kept.count += static_cast<std::size_t>(length);
  });
  if (kept.count == 0) return kept;
  kept.first = static_cast<std::int64_t*>(state.memory.allocate(kept.bytes(), alignof(std::int64_t)));
  std::int64_t* next = kept.first;
  operation.visit_numbers(comm, [&](Numbers& numbers, int length) {
    if (numbers.null()) return;
    for (int i = 0; i < length; ++i) next[i] = numbers[i];
    numbers = next;
    next += length;
  });
  return kept;
}

inline void free_numbers(RankState& state, const KeptNumbers& kept) {
  if (kept.first) state.memory.deallocate(kept.first, kept.bytes(), alignof(std::int64_t));
}

}  // namespace skein::vmpi
