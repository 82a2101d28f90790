// SPDX-License-Identifier: Apache-2.0
// Arrays of a page: compressed blocks of text, to which its JSON refers.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace skein::report {

class Arrays {
 public:
  using Json = nlohmann::ordered_json;

  /// Adds an array and returns the JSON by which the page finds it.
  Json add(std::span<const std::uint32_t> values);
  Json add(std::span<const float> values);
  /// Adds rows of `row` numbers, most of them close to the same number of the row before, in 16 bits each: as
  /// value / unit. No value may be above 65,535 units.
  Json add(std::span<const double> values, std::size_t row, double unit);

  /// Returns all blocks, for the page.
  const std::string& html() const { return html_; }

 private:
  Json block(const char* type, std::span<const std::byte> bytes);

  std::string html_;
  unsigned blocks_ = 0;
};

}  // namespace skein::report
