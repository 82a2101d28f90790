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

  /// Each gives what the JSON is to say where the page shall find the array.
  Json add(std::span<const std::uint32_t> values);
  Json add(std::span<const float> values);
  /// Adds rows of `row` numbers, most of them near to the one in the row before. To 16 bits: a number is
  /// value / unit, and no value is above 65,535 units.
  Json add(std::span<const double> values, std::size_t row, double unit);

  /// All blocks, for the page.
  const std::string& html() const { return html_; }

 private:
  Json block(const char* type, std::span<const std::byte> bytes);

  std::string html_;
  unsigned blocks_ = 0;
};

}  // namespace skein::report
