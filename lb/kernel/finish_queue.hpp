// SPDX-License-Identifier: Apache-2.0
// "Which PE would finish this object first?", for PEs of any speeds.
//
// On PEs of one speed that is the PE that finishes first now. PEs of several speeds form one group a speed,
// and the answer is the best of the groups' firsts. Beyond kMaxGroups different speeds (every PE measured a
// little different, say) a group holds PEs of neighbouring speeds; the groups' firsts are still compared by
// their true speeds, so the answer is then near the best instead of the best.
#pragma once
#include <vector>

#include "lb/kernel/lazy_min_tree.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// The finish times with the pinned objects alone: where list scheduling starts from.
std::vector<double> pinned_finish(const Snapshot& snapshot);

/// The PEs, fastest first, cut into groups of one speed each, or into FinishQueue::kMaxGroups of equal size
/// when there are more speeds.
std::vector<std::vector<PeIndex>> group_by_speed(const std::vector<double>& speed);

class FinishQueue {
 public:
  static constexpr std::size_t kMaxGroups = 16;

  /// `finish`: one time for each PE, from which on they only grow.
  FinishQueue(const Pes& pes, std::vector<double> finish);

  /// Puts an object on the PE on which it finishes first, and returns that.
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

  /// Puts an object on that PE.
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
    bool behind;  // finish times may have grown unknown to the tree, at any member
  };

  PeIndex first_of(Group& group) {
    if (group.behind) group.tree.refresh([&](std::uint32_t i) { return finish_[group.members[i]]; });
    return group.members[group.tree.top()];
  }

  std::vector<double> finish_;
  std::vector<double> seconds_per_load_;  // 1 / speed
  std::vector<Group> groups_;             // fastest first: on equal finish times the faster PE is taken
};

}  // namespace skein::lb
