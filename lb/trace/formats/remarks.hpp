// SPDX-License-Identifier: Apache-2.0
// Counts data that a format cannot keep.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "skein/lb/trace_formats.hpp"

namespace skein::trace {

class Remarker {
 public:
  /// Adds a remark of the form "what: became of it".
  void add(std::string_view text, std::uint64_t times = 1) {
    const auto found = counts_.find(text);
    if (found == counts_.end())
      counts_.emplace(text, times);
    else
      found->second += times;
  }
  /// Returns the remarks with their counts: "3 x what: became of it".
  Remarks take() const {
    Remarks all;
    for (const auto& [text, times] : counts_) all.push_back(std::to_string(times) + " x " + text);
    return all;
  }

 private:
  std::map<std::string, std::uint64_t, std::less<>> counts_;
};

}  // namespace skein::trace
