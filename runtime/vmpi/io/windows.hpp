// SPDX-License-Identifier: Apache-2.0
// The division of the range of a collective access: a domain for each collector, and in it windows of equal
// length, one a round. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace skein::vmpi {

class Windows {
 public:
  /// Makes windows on bytes [begin, end), begin < end. The begins and lengths of domains are multiples of
  /// `unit`. `collectors`: members; the caller keeps the array.
  Windows(std::int64_t begin, std::int64_t end, std::int64_t window_bytes, std::int64_t unit,
          std::span<const int> collectors)
      : begin_(begin / unit * unit), end_(end), window_(window_bytes), collectors_(collectors) {
    const auto parts = static_cast<std::int64_t>(collectors.size());
    const std::int64_t each = (end_ - begin_ + parts - 1) / parts;
    domain_ = (each + unit - 1) / unit * unit;
  }

  struct Window {
    std::int64_t begin, end;
    bool empty() const { return begin >= end; }
  };

  int collectors() const { return static_cast<int>(collectors_.size()); }
  int member(int collector) const { return collectors_[static_cast<std::size_t>(collector)]; }
  std::int64_t rounds() const { return (std::min(domain_, end_ - begin_) + window_ - 1) / window_; }
  Window window(int collector, std::int64_t round) const {
    const std::int64_t domain = begin_ + collector * domain_;
    const std::int64_t from = domain + round * window_;
    return {from, std::min({from + window_, domain + domain_, end_})};
  }

 private:
  std::int64_t begin_, end_, window_, domain_ = 0;
  std::span<const int> collectors_;
};

}  // namespace skein::vmpi
