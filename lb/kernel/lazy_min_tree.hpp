// SPDX-License-Identifier: Apache-2.0
// The least of a set of keys that only grow: a loser tree (Knuth, The Art of Computer Programming 3, 5.4.1).
//
// The way from a leaf to the root is known before any comparison, so its loads overlap and the comparisons
// are a chain of minimum/maximum without branches: about 15 ns for 10,000 keys, where a heap chases one
// dependent load and one unpredictable branch a level.
//
// Growing a key costs nothing: the tree keeps old keys as lower bounds, and top() brings up to date only what
// reaches the root.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace skein::lb {

class LazyMinTree {
 public:
  /// One key for each index below keys.size(), which is at least 1. Keys are finite and not negative.
  explicit LazyMinTree(std::span<const double> keys)
      : leaves_(std::bit_ceil(keys.size())), index_mask_(leaves_ - 1), losers_(leaves_) {
    std::vector<std::uint64_t> winners(2 * leaves_, std::numeric_limits<std::uint64_t>::max());
    for (std::size_t i = 0; i < keys.size(); ++i) winners[leaves_ + i] = pack(keys[i], i);
    for (std::size_t node = leaves_ - 1; node > 0; --node) {
      winners[node] = std::min(winners[2 * node], winners[2 * node + 1]);
      losers_[node] = std::max(winners[2 * node], winners[2 * node + 1]);
    }
    winner_ = winners[1];
  }

  /// The index of the least key that the tree knows; of keys that agree to 2^(log2(size) - 52) the lowest
  /// index.
  std::uint32_t top() const { return static_cast<std::uint32_t>(winner_ & index_mask_); }

  /// Brings the tree up to date after keys grew unknown to it, so far that top() is right; key_of(index) is
  /// the present key.
  template <class KeyOf>
  void refresh(KeyOf key_of) {
    while (true) {
      const std::uint64_t present = pack(key_of(top()), top());
      if (present == winner_) return;
      replay(top(), present);
    }
  }

  /// Tells the tree the new key of top().
  void grow_top(double key) { replay(top(), pack(key, top())); }

 private:
  /// The bits of a double that is not negative order like the double; its last bits give way to the index,
  /// which tells the leaf.
  std::uint64_t pack(double key, std::uint64_t index) const {
    return (std::bit_cast<std::uint64_t>(key) & ~index_mask_) | index;
  }

  void replay(std::uint64_t leaf, std::uint64_t item) {
    for (std::uint64_t node = (leaves_ + leaf) / 2; node > 0; node /= 2) {
      const std::uint64_t loser = losers_[node];
      // Exchanged under a mask: compilers turn a conditional or std::minmax into a branch, which is taken
      // half of the time.
      const std::uint64_t exchange = (loser ^ item) & (std::uint64_t{0} - (loser < item));
      losers_[node] = loser ^ exchange;
      item ^= exchange;
    }
    winner_ = item;
  }

  std::uint64_t leaves_;
  std::uint64_t index_mask_;
  std::vector<std::uint64_t> losers_;  // losers_[node]: the greater of the two least keys below its children
  std::uint64_t winner_ = 0;
};

}  // namespace skein::lb
