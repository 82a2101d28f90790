// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

namespace skein::load {

/// True if messages are logged: balance::StepConfig::wants_graph(). Set at the start.
extern bool traffic_wanted;

/// A rank's messages since the last LB step, by receiver: a small hash table in the rank's slot, keyed by
/// world rank.
class TrafficLog {
 public:
  struct Entry {
    std::int32_t to = -1;  ///< -1: free
    std::uint32_t messages = 0;
    std::uint64_t bytes = 0;
  };

  explicit TrafficLog(std::pmr::memory_resource* memory) : table_(memory) {}

  void note(int to, std::uint64_t bytes, std::uint64_t messages = 1) {
    Entry* entry = table_.empty() ? nullptr : find(to);
    if (!entry || entry->to != to) entry = insert(to);
    entry->messages += static_cast<std::uint32_t>(messages);
    entry->bytes += bytes;
  }

  /// Calls `f(entry)` for every partner.
  template <class F>
  void for_each(F f) const {
    for (const Entry& entry : table_)
      if (entry.to >= 0) f(entry);
  }

  void clear() {
    table_.assign(table_.size(), {});
    used_ = 0;
  }

 private:
  /// Returns the entry of `to`, or the free one where it belongs. Precondition: the table has room.
  Entry* find(int to) {
    const std::size_t mask = table_.size() - 1;
    std::size_t i = (static_cast<unsigned>(to) * 0x9e3779b1u) & mask;
    while (table_[i].to >= 0 && table_[i].to != to) i = (i + 1) & mask;
    return &table_[i];
  }
  Entry* insert(int to);

  std::pmr::vector<Entry> table_;  // a power of two of entries, at most half of them used
  std::size_t used_ = 0;
};

}  // namespace skein::load
