// SPDX-License-Identifier: Apache-2.0
// The least of a range of keys that change one by one: a segment tree.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace skein::lb {

class RangeMin {
 public:
  /// All keys are infinite at first.
  explicit RangeMin(std::size_t size)
      : leaves_(std::bit_ceil(size)), least_(2 * leaves_, std::numeric_limits<double>::infinity()) {}

  /// O(log size).
  void set(std::size_t index, double key) {
    std::size_t node = leaves_ + index;
    least_[node] = key;
    while (node /= 2) least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
  }

  /// The first index in [begin, end), which is not empty, of the least key, and that key. O(log size).
  std::pair<std::size_t, double> least(std::size_t begin, std::size_t end) const {
    // From the left come nodes whose ranges rise, from the right such that fall.
    std::size_t best = 0;
    double key = std::numeric_limits<double>::infinity();
    std::size_t right_best = 0;
    double right_key = key;
    for (std::size_t l = leaves_ + begin, r = leaves_ + end; l < r; l /= 2, r /= 2) {
      if (l & 1) {
        if (least_[l] < key) key = least_[best = l];
        ++l;
      }
      if (r & 1) {
        --r;
        if (least_[r] <= right_key) right_key = least_[right_best = r];
      }
    }
    if (right_key < key) {
      key = right_key;
      best = right_best;
    }
    if (best == 0) return {begin, key};
    while (best < leaves_) {
      best *= 2;
      if (least_[best] > key) ++best;
    }
    return {best - leaves_, key};
  }

 private:
  std::size_t leaves_;
  std::vector<double> least_;  // of the leaves below each node; node 1 is the root
};

}  // namespace skein::lb
