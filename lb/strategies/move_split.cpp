// SPDX-License-Identifier: Apache-2.0
// move-split: first moves whole objects from the most to the least loaded PE, each time the heaviest with
// which the receiver does not pass the average; when none is left that goes, splits the heaviest splittable
// object of the most loaded PE so that the part exactly fills what the least loaded PE lacks. After every
// split whole objects are tried again. It ends when the most loaded PE is within `tolerance` of the average.
//
// Looks at loads, speeds, background, placement, and which objects may be split. Wins where objects are few
// and coarse, and can be split: perfect balance with less than PEs splits, since every split brings a PE to
// the average for good. Without splittable objects it stops where no whole object fits a gap, and greedy or
// refine get closer. Never worse than before: no receiver passes the average. O(n log n + (moves + splits)
// (log n + log PEs)), plus splits times the objects of a PE. Z. Lan, V. E. Taylor, G. Bryan, "A novel dynamic
// load balancing scheme for parallel systems", Journal of Parallel and Distributed Computing 62 (2002).
#include <algorithm>
#include <set>
#include <utility>

#include "lb/kernel/pe_extremes.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

constexpr Key kKeys[] = {
    real_key("tolerance", "1.0001", 1, 10, "largest finish time to aim at, as a multiple of the perfect one"),
};

class MoveAndSplit {
 public:
  MoveAndSplit(const Snapshot& snapshot, double tolerance, bool may_split)
      : snapshot_(snapshot),
        average_(perfect_finish(snapshot)),
        limit_(tolerance * average_),
        may_split_(may_split && !snapshot.objects.splittable.empty()),
        left_(snapshot.objects.load),
        held_(snapshot.pe_count()),
        finish_(finish_times(snapshot, snapshot.objects.pe)),
        decision_{snapshot.objects.pe, {}} {
    for (ObjectIndex i : movable_objects(snapshot.objects))
      held_[snapshot.objects.pe[i]].emplace(left_[i], i);
  }

  Decision run() {
    while (finish_[finish_.last()] > limit_ && (move_whole() || split())) {
    }
    return std::move(decision_);
  }

 private:
  // Load that the least loaded PE lacks.
  double hole() const {
    const PeIndex to = finish_.first();
    return (average_ - finish_[to]) * snapshot_.pes.speed[to];
  }

  bool move_whole() {
    const PeIndex from = finish_.last(), to = finish_.first();
    auto& held = held_[from];
    auto after = held.upper_bound({hole(), ~ObjectIndex{0}});
    if (after == held.begin()) return false;
    const auto [load, object] = *--after;
    held.erase(after);
    held_[to].emplace(load, object);
    decision_.pe_of[object] = to;
    give(from, load);
    finish_.set(to, finish_[to] + load / snapshot_.pes.speed[to]);
    return true;
  }

  bool split() {
    if (!may_split_) return false;
    const PeIndex from = finish_.last(), to = finish_.first();
    auto& held = held_[from];
    const auto largest = std::find_if(held.rbegin(), held.rend(), [&](const auto& entry) {
      return snapshot_.objects.splittable[entry.second];
    });
    const double part = hole();
    if (largest == held.rend() || part <= 0) return false;
    const ObjectIndex object = largest->second;
    held.erase(std::next(largest).base());
    left_[object] -= part;
    held.emplace(left_[object], object);
    decision_.splits.push_back({object, to, part / snapshot_.objects.load[object]});
    give(from, part);
    finish_.set(to, average_);
    return true;
  }

  void give(PeIndex from, double load) {
    finish_.set(from, std::max(0.0, finish_[from] - load / snapshot_.pes.speed[from]));
  }

  const Snapshot& snapshot_;
  double average_, limit_;
  bool may_split_;
  std::vector<double> left_;  // of each object's load, without the parts split off
  std::vector<std::set<std::pair<double, ObjectIndex>>> held_;
  PeExtremes finish_;
  Decision decision_;
};

}  // namespace

std::span<const Key> move_split_keys() { return kKeys; }

Assignment assign_move_split(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  return MoveAndSplit(snapshot, options.real("tolerance"), false).run().pe_of;
}

Decision decide_move_split(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  return MoveAndSplit(snapshot, options.real("tolerance"), true).run();
}

}  // namespace skein::lb
