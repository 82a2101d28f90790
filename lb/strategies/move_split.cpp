// SPDX-License-Identifier: Apache-2.0
// move-split: whole objects go from the most to the least loaded PE, each time the heaviest with which the
// receiver does not pass the average, if it fills at least `fill` of what the receiver lacks. When there is
// none, the heaviest splittable object of the most loaded PE is split so that the part exactly fills that;
// or, where it cannot be split or the part would be less than `least` of an average PE's load, the heaviest
// whole object that fits goes, however little it fills. Begins when the most loaded PE is above `threshold`
// times the average, and ends when it is within `tolerance`, or nothing goes any more.
//
// Looks at loads, speeds, background, placement, and which objects may be split. Wins where objects are few
// and coarse, and can be split: perfect balance with less than PEs splits, since every split brings a PE to
// the average for good. Without splittable objects it stops where no whole object fits a gap, and greedy or
// refine get closer. Never worse than before: no receiver passes the average. O(n log n + (moves + splits)
// (log n + log PEs)), plus splits times the objects of a PE. Z. Lan, V. E. Taylor, G. Bryan, "A novel dynamic
// load balancing scheme for parallel systems", Journal of Parallel and Distributed Computing 62 (2002): their
// objects are grids, which they split along the longest dimension. Where an object is cut is its own affair
// here: it is asked for a share of its load.
#include <algorithm>
#include <set>
#include <utility>

#include "lb/kernel/pe_extremes.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

class MoveAndSplit {
 public:
  MoveAndSplit(const Snapshot& snapshot, const Options& options, bool may_split)
      : snapshot_(snapshot),
        average_(perfect_finish(snapshot)),
        trigger_(options.real(kTriggerKey) * average_),
        limit_(options.real("tolerance") * average_),
        fill_(options.real("fill")),
        least_(options.real("least")),
        may_split_(may_split && !snapshot.objects.splittable.empty()),
        left_(snapshot.objects.load),
        held_(snapshot.pe_count()),
        finish_(finish_times(snapshot, snapshot.objects.pe)),
        decision_{snapshot.objects.pe, {}} {
    for (ObjectIndex i : movable_objects(snapshot.objects))
      held_[snapshot.objects.pe[i]].emplace(left_[i], i);
  }

  Decision run() {
    if (finish_[finish_.last()] <= trigger_) return std::move(decision_);
    while (finish_[finish_.last()] > limit_ && (move_whole(fill_) || split() || move_whole(0))) {
    }
    return std::move(decision_);
  }

 private:
  // Load that the least loaded PE lacks.
  double hole() const {
    const PeIndex to = finish_.first();
    return (average_ - finish_[to]) * snapshot_.pes.speed[to];
  }

  // The heaviest that fits, if it fills that share of the hole.
  bool move_whole(double share) {
    const PeIndex from = finish_.last(), to = finish_.first();
    auto& held = held_[from];
    auto after = held.upper_bound({hole(), ~ObjectIndex{0}});
    if (after == held.begin()) return false;
    const auto [load, object] = *--after;
    if (load < share * hole()) return false;
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
    if (largest == held.rend() || part <= 0 || part < least_ * average_ * snapshot_.pes.speed[to])
      return false;
    if (largest->first <= part) return false;  // goes whole
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
  double average_, trigger_, limit_, fill_, least_;
  bool may_split_;
  std::vector<double> left_;  // of each object's load, without the parts split off
  std::vector<std::set<std::pair<double, ObjectIndex>>> held_;
  PeExtremes finish_;
  Decision decision_;
};

}  // namespace

std::span<const Key> move_split_keys() {
  static constexpr Key keys[] = {
      real_key(kTriggerKey, "1.2", 1, 100, kTriggerHelp),
      real_key("tolerance", "1.0001", 1, 10,
               "largest finish time to aim at, as a multiple of the perfect one"),
      real_key("fill", "0.5", 0, 1,
               "least share of what a PE lacks that a whole object fills, if one could be split instead"),
      real_key("least", "0.001", 0, 1,
               "least part that is split off, as a share of the load of an average PE"),
  };
  return keys;
}

Assignment assign_move_split(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  return MoveAndSplit(snapshot, options, false).run().pe_of;
}

Decision decide_move_split(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  return MoveAndSplit(snapshot, options, true).run();
}

}  // namespace skein::lb
