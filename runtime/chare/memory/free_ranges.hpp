// SPDX-License-Identifier: Apache-2.0
// A set of free ranges: of a PE's part of the node's memory (node_memory.hpp), or of shared blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace skein::chare {

/// Sizes of a page and of a cache line.
inline constexpr std::size_t kPageBytes = 4096, kLineBytes = 64;

/// The free ranges. Invariants: no range is empty or touches another; both containers hold the same ranges.
class FreeRanges {
 public:
  /// Takes `size` units from a multiple of `alignment` on, out of the smallest range that has them.
  std::optional<std::uint64_t> take(std::uint64_t size, std::uint64_t alignment) {
    for (auto at = by_size_.lower_bound({size, 0}); at != by_size_.end(); ++at) {
      const auto [range, begin] = *at;
      const std::uint64_t first = (begin + alignment - 1) / alignment * alignment;
      if (first - begin > range - size) continue;
      remove(begin, range);
      insert(begin, first - begin);
      insert(first + size, range - size - (first - begin));
      return first;
    }
    return std::nullopt;
  }
  /// Frees a range, and joins it with its neighbours. Precondition: it is not free.
  void give(std::uint64_t begin, std::uint64_t size) {
    const auto next = by_begin_.lower_bound(begin);
    if (next != by_begin_.begin()) {
      const auto [before, its_size] = *std::prev(next);
      if (before + its_size == begin) {
        remove(before, its_size);
        begin = before;
        size += its_size;
      }
    }
    if (const auto behind = by_begin_.find(begin + size); behind != by_begin_.end()) {
      const std::uint64_t its_size = behind->second;
      remove(behind->first, its_size);
      size += its_size;
    }
    insert(begin, size);
  }
  std::size_t count() const { return by_begin_.size(); }

 private:
  void insert(std::uint64_t begin, std::uint64_t size) {
    if (size == 0) return;
    by_begin_.emplace(begin, size);
    by_size_.emplace(size, begin);
  }
  void remove(std::uint64_t begin, std::uint64_t size) {
    by_begin_.erase(begin);
    by_size_.erase({size, begin});
  }

  std::map<std::uint64_t, std::uint64_t> by_begin_;            // sizes by begin
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  // sizes and begins
};

}  // namespace skein::chare
