// SPDX-License-Identifier: Apache-2.0
// What a PE has of the memory that PEs of a node share, and what it keeps for calls to come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/memory/free_ranges.hpp"

namespace skein::chare {

/// This PE's part of the shared blocks.
struct BlockParts {
  struct Spare {
    std::uint64_t first = 0;  // of a list
    int missed = 0;           // how often there was none
  };

  FreeRanges free_ranges;
  std::map<std::uint64_t, Spare> spare;  // blocks that are free, by their bytes
  std::size_t spare_bytes = 0;
  std::vector<bool> reached;  // by PE
};

struct IdleTime {
  double since_trim_ns = 0;           // in all, and
  double since_forgotten_ns = 0;      // since places were forgotten
  std::uint64_t until = 0;            // ticks: counted so far
  std::uint64_t trimmed_at_rest = 0;  // ticks: since when nothing had run at the last malloc_trim()
};

struct MemoryParts {
  FreeRanges free_on_node;  ///< of this PE's part of the node's memory
  BlockParts blocks;
  IdleTime idle;
};
/// Hidden: no indirection by a table of addresses.
[[gnu::visibility("hidden")]] extern PerRuntime<MemoryParts> memory_parts;

}  // namespace skein::chare
