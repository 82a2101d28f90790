// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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
  /// Returns false if there is no such key.
  bool remove(std::string_view key);
  /// Returns null if there is no such key.
  const std::pmr::string* find(std::string_view key) const;
  int size() const { return static_cast<int>(values_.size()); }
  /// Precondition: 0 <= n < size().
  std::string_view key(int n) const;
  void copy_from(const Info& other);

  MPI_Info handle = MPI_INFO_NULL;

 private:
  void close_gaps() const;
  struct Value {
    std::pmr::string text;
    std::size_t at;  ///< in `in_order_`
  };
  using Values = std::pmr::map<std::pmr::string, Value, std::less<>>;
  Values values_;
  /// The entries of `values_`, and null for each removed one.
  mutable std::pmr::vector<Values::pointer> in_order_;
};

Info* make_info(RankState& state);
void release_info(RankState& state, Info* info);  ///< null is allowed

}  // namespace skein::vmpi
