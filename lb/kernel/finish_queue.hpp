// SPDX-License-Identifier: Apache-2.0
// "Which PE would finish this object first?", for PEs of any speeds.
//
// On PEs of one speed that is the PE that now finishes first. PEs of several speeds form one group for each
// speed, and the answer is the best of the groups' first PEs. Beyond kMaxGroups different speeds (for
// instance if every measured speed differs a little) a group holds PEs of neighbouring speeds; the groups'
// first PEs are still compared by their true speeds, so the answer is then near the best.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// The least of a set of keys that only grow: a loser tree (Knuth, The Art of Computer Programming 3, 5.4.1).
///
/// The path from a leaf to the root is known before any comparison, so its loads overlap and the comparisons
/// are a chain of minimum/maximum without branches: about 15 ns for 10,000 keys, where a heap has one
/// dependent load and one unpredictable branch at each level.
///
/// Growing a key costs nothing: the tree keeps old keys as lower bounds, and refresh() updates those at the
/// root.
class LazyMinTree {
 public:
  /// Makes the tree of keys.size() keys, at least 1, all finite and not negative.
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

  /// Returns the index of the least known key; of keys that agree to 2^(log2(size) - 52) the lowest index.
  std::uint32_t top() const { return static_cast<std::uint32_t>(winner_ & index_mask_); }

  /// Corrects top() after keys grew without grow_top(). key_of(index) returns the present key.
  template <class KeyOf>
  void refresh(KeyOf key_of) {
    while (true) {
      const std::uint64_t present = pack(key_of(top()), top());
      if (present == winner_) return;
      replay(top(), present);
    }
  }

  /// Sets the new key of top(), which is larger.
  void grow_top(double key) { replay(top(), pack(key, top())); }

 private:
  /// Packs a key with its index. The bits of a non-negative double are ordered like the double; its last bits
  /// are replaced by the index, which tells the leaf.
  std::uint64_t pack(double key, std::uint64_t index) const {
    return (std::bit_cast<std::uint64_t>(key) & ~index_mask_) | index;
  }

  void replay(std::uint64_t leaf, std::uint64_t item) {
    for (std::uint64_t node = (leaves_ + leaf) / 2; node > 0; node /= 2) {
      const std::uint64_t loser = losers_[node];
      // The exchange uses a mask: compilers turn a conditional or std::minmax into a branch, which is taken
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

/// Returns the finish times with the pinned objects alone: list scheduling starts from these.
std::vector<double> pinned_finish(const Snapshot& snapshot);

/// Returns the PEs, fastest first, in groups of one speed each, or in FinishQueue::kMaxGroups groups of equal
/// size if there are more speeds.
std::vector<std::vector<PeIndex>> group_by_speed(const std::vector<double>& speed);

class FinishQueue {
 public:
  static constexpr std::size_t kMaxGroups = 16;

  /// `finish`: one time for each PE; later times are never smaller.
  FinishQueue(const Pes& pes, std::vector<double> finish);

  /// Puts an object on the PE that finishes it first, and returns that PE.
  PeIndex place(double load) {
    Group* best = &groups_[0];
    PeIndex pe = first_of(*best);
    for (std::size_t g = 1; g < groups_.size(); ++g) {
      const PeIndex candidate = first_of(groups_[g]);
      if (finish_with(candidate, load) >= finish_with(pe, load)) continue;
      best = &groups_[g];
      pe = candidate;
    }
    finish_[pe] = finish_with(pe, load);
    best->tree.grow_top(finish_[pe]);
    return pe;
  }

  /// Puts an object on PE `pe`.
  void add(PeIndex pe, double load) {
    finish_[pe] = finish_with(pe, load);
    for (Group& group : groups_) group.behind = true;
  }

  double finish_with(PeIndex pe, double load) const { return finish_[pe] + load * seconds_per_load_[pe]; }
  const std::vector<double>& finish_times() const { return finish_; }

 private:
  struct Group {
    std::vector<PeIndex> members;
    LazyMinTree tree;
    bool behind;  // a member's finish time may have grown without the tree
  };

  PeIndex first_of(Group& group) {
    if (group.behind) group.tree.refresh([&](std::uint32_t i) { return finish_[group.members[i]]; });
    return group.members[group.tree.top()];
  }

  std::vector<double> finish_;
  std::vector<double> seconds_per_load_;  // 1 / speed
  std::vector<Group> groups_;             // fastest first: of equal finish times the faster PE's is taken
};

}  // namespace skein::lb
