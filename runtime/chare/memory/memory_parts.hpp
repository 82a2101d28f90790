// SPDX-License-Identifier: Apache-2.0
// A PE's part of the memory that PEs of a node share, and the memory that it keeps for later calls.
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
    int missed = 0;           // times that the list was empty
  };

  FreeRanges free_ranges;
  std::map<std::uint64_t, Spare> spare;  // lists of free blocks, by their bytes
  std::size_t spare_bytes = 0;
  std::vector<bool> reached;  // by PE
};

struct IdleTime {
  double since_trim_ns = 0;           // in total, since malloc_trim()
  double since_forgotten_ns = 0;      // since places were forgotten
  std::uint64_t until = 0;            // ticks: counted up to here
  std::uint64_t trimmed_at_rest = 0;  // ticks: the begin of the idle time at the last malloc_trim()
};

struct MemoryParts {
  FreeRanges free_on_node;  ///< in this PE's part of the node's memory
  BlockParts blocks;
  IdleTime idle;
};
/// Hidden: accessed without the global offset table.
[[gnu::visibility("hidden")]] extern PerRuntime<MemoryParts> memory_parts;

}  // namespace skein::chare
