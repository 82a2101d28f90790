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

// The finish times with the pinned objects alone: where list scheduling starts from.
std::vector<double> pinned_finish(const Snapshot& snapshot);

class FinishQueue {
 public:
  static constexpr std::size_t kMaxGroups = 16;

  // `finish`: one time for each PE, from which on they only grow.
  FinishQueue(const Pes& pes, std::vector<double> finish);

  // The PE on which an object of that load would finish first.
  PeIndex earliest(double load) {
    if (groups_.size() == 1) return first_of(groups_[0]);
    PeIndex best = first_of(groups_[0]);
    for (std::size_t g = 1; g < groups_.size(); ++g) {
      const PeIndex candidate = first_of(groups_[g]);
      if (finish_with(candidate, load) < finish_with(best, load)) best = candidate;
    }
    return best;
  }

  double finish(PeIndex pe) const { return finish_[pe]; }
  double finish_with(PeIndex pe, double load) const { return finish_[pe] + load * seconds_per_load_[pe]; }
  void add(PeIndex pe, double load) { finish_[pe] = finish_with(pe, load); }
  const std::vector<double>& finish_times() const { return finish_; }

 private:
  struct Group {
    std::vector<PeIndex> members;
    LazyMinTree tree;
  };

  PeIndex first_of(Group& group) {
    const auto place = group.tree.top([&](std::uint32_t i) { return finish_[group.members[i]]; });
    return group.members[place];
  }

  std::vector<double> finish_;
  std::vector<double> seconds_per_load_;  // 1 / speed
  std::vector<Group> groups_;             // fastest first: on equal finish times the faster PE is taken
};

}  // namespace skein::lb
