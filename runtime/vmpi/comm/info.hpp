// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

struct RankState;

/// An info object: keys and values in the order of their first setting. In the slot; copied, never shared.
class Info {
 public:
  explicit Info(std::pmr::memory_resource* memory) : values_(memory), in_order_(memory) {}

  void set(std::string_view key, std::string_view value);
  /// False when there is no such key.
  bool remove(std::string_view key);
  /// Null when there is no such key.
  const std::pmr::string* find(std::string_view key) const;
  int size() const { return static_cast<int>(in_order_.size()); }
  /// Precondition: 0 <= n < size().
  std::string_view key(int n) const { return in_order_[static_cast<std::size_t>(n)]->first; }
  void copy_from(const Info& other);

  MPI_Info handle = MPI_INFO_NULL;

 private:
  struct Value {
    std::pmr::string text;
    std::uint64_t order;  ///< grows from setting to setting
  };
  using Values = std::pmr::map<std::pmr::string, Value, std::less<>>;
  Values values_;
  std::pmr::vector<Values::const_pointer> in_order_;  ///< those in `values_`
  std::uint64_t next_order_ = 0;
};

Info* make_info(RankState& state);
void release_info(RankState& state, Info* info);  ///< null is allowed

}  // namespace skein::vmpi
