// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

struct RankState;

/// An info object: keys and values in the order of their first setting. In the slot; copied, never shared.
class Info {
 public:
  explicit Info(std::pmr::memory_resource* memory) : entries_(memory) {}

  void set(std::string_view key, std::string_view value);
  /// False when there is no such key.
  bool remove(std::string_view key);
  /// Null when there is no such key.
  const std::pmr::string* find(std::string_view key) const;
  int size() const { return static_cast<int>(entries_.size()); }
  /// Precondition: 0 <= n < size().
  std::string_view key(int n) const { return entries_[static_cast<std::size_t>(n)].first; }
  void copy_from(const Info& other) { entries_ = other.entries_; }

  MPI_Info handle = MPI_INFO_NULL;

 private:
  std::pmr::vector<std::pair<std::pmr::string, std::pmr::string>> entries_;
};

Info* make_info(RankState& state);
void release_info(RankState& state, Info* info);  ///< null is allowed

}  // namespace skein::vmpi
