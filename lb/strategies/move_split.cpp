// SPDX-License-Identifier: Apache-2.0
// move-split: moves objects from the most to the least loaded PE, whole or in part, while the most loaded PE
// is above `threshold` times the average. It moves the first object (by number) that brings the receiver
// above the average / threshold and leaves it below the average x threshold. If there is none, the heaviest
// object is split so that the part exactly fills what the receiver lacks of the average, or is moved whole if
// it fits there. It ends when the same two PEs need that twice running.
//
// With `whole=heaviest`, which is Skein's addition, fitting whole objects come first: each time the heaviest
// one with which the receiver does not pass the average, if it fills at least `fill` of what the receiver
// lacks. If there is none, the heaviest splittable object is split; if none can be split, or the part would
// be less than `least` of an average PE's load, the heaviest fitting whole object is moved, however little it
// fills. It ends when the most loaded PE is within `tolerance`, or nothing can be moved. A threshold of 1 has
// the same effect, because then no object brings a receiver between average / threshold and average x
// threshold.
//
// Looks at loads, speeds, background, placement, and which objects may be split. Wins if objects are few and
// coarse, and can be split: it needs fewer splits than PEs, since every split brings a PE to the average for
// good. Without splittable objects it stops when no whole object fits a gap, and greedy or refine get closer.
// Never worse than before: no receiver passes what the giver had. O(n log n + (moves + splits) (log n + log
// PEs)), plus splits, and without whole=heaviest moves, times the objects of a PE. Z. Lan, V. E. Taylor, G.
// Bryan, "A novel dynamic load balancing scheme for parallel systems", Journal of Parallel and Distributed
// Computing 62 (2002), Figure 8: their objects are grids, which they split along the longest dimension. Here
// the object itself decides where it is cut: it is asked for a share of its load.
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
        threshold_(options.real(kTriggerKey)),
        limit_(options.real("tolerance") * average_),
        fill_(options.real("fill")),
        least_(options.real("least") * average_),
        heaviest_first_(options.choice("whole") == "heaviest" || threshold_ == 1),
        may_split_(may_split && !snapshot.objects.splittable.empty()),
        left_(snapshot.objects.load),
        held_(snapshot.pe_count()),
        finish_(finish_times(snapshot, snapshot.objects.pe)),
        decision_{snapshot.objects.pe, {}} {
    for (ObjectIndex i : movable_objects(snapshot.objects))
      held_[snapshot.objects.pe[i]].emplace(left_[i], i);
  }

  Decision run() {
    if (heaviest_first_ && above_threshold()) {
      while (largest_finish() > limit_ && (move_heaviest(fill_) || split() || move_heaviest(0))) {
      }
    } else if (above_threshold()) {
      move_and_split_by_turns();
    }
    return std::move(decision_);
  }

 private:
  using ObjectsByLoad = std::set<std::pair<double, ObjectIndex>>;  // load left, object

  double largest_finish() const { return finish_[finish_.last()]; }
  bool above_threshold() const { return largest_finish() > threshold_ * average_; }

  /// Alternates the paper's two phases.
  void move_and_split_by_turns() {
    PeIndex last_from = 0, last_to = 0;
    for (bool done = false; !done;) {
      while (above_threshold() && move_first_in_window()) {
      }
      if (!above_threshold()) return;
      done = finish_.last() == last_from && finish_.first() == last_to;
      last_from = finish_.last();
      last_to = finish_.first();
      if (!move_or_split_largest()) return;
    }
  }

  bool move_first_in_window() {
    const PeIndex to = finish_.first();
    const double least = (average_ / threshold_ - finish_[to]) * snapshot_.pes.speed[to],
                 most = (average_ * threshold_ - finish_[to]) * snapshot_.pes.speed[to];
    const ObjectsByLoad& held = held_[finish_.last()];
    const auto begin = held.upper_bound({least, ~ObjectIndex{0}}), end = held.lower_bound({most, 0});
    if (least >= most || begin == end) return false;
    move_whole(
        std::min_element(begin, end, [](const auto& a, const auto& b) { return a.second < b.second; }));
    return true;
  }

  /// Moves or splits the largest object that fits or can be split.
  bool move_or_split_largest() {
    const ObjectsByLoad& held = held_[finish_.last()];
    const auto largest = std::find_if(held.rbegin(), held.rend(), [&](const auto& entry) {
      return entry.first <= room() || splittable(entry.second);
    });
    if (largest == held.rend()) return false;
    if (largest->first > room()) return split();
    move_whole(std::next(largest).base());
    return true;
  }

  /// Returns the load that the least loaded PE lacks.
  double hole() const {
    const PeIndex to = finish_.first();
    return (average_ - finish_[to]) * snapshot_.pes.speed[to];
  }

  /// Returns the largest load of an object that is moved whole. A slightly heavier object would leave no part
  /// worth splitting off. It is at least the rounding error of sums of loads.
  double room() const {
    const double over = std::max(least_, 1e-9 * average_);
    return hole() + (largest_finish() > average_ + over ? over * snapshot_.pes.speed[finish_.first()] : 0);
  }

  bool splittable(ObjectIndex object) const { return may_split_ && snapshot_.objects.splittable[object]; }

  /// Moves the heaviest fitting object, if it fills that share of the hole.
  bool move_heaviest(double share) {
    const ObjectsByLoad& held = held_[finish_.last()];
    auto after = held.upper_bound({room(), ~ObjectIndex{0}});
    if (after == held.begin() || (--after)->first < share * hole()) return false;
    move_whole(after);
    return true;
  }

  void move_whole(ObjectsByLoad::iterator entry) {
    const PeIndex from = finish_.last(), to = finish_.first();
    const auto [load, object] = *entry;
    held_[from].erase(entry);
    held_[to].emplace(load, object);
    decision_.pe_of[object] = to;
    give(from, load);
    finish_.set(to, finish_[to] + load / snapshot_.pes.speed[to]);
  }

  bool split() {
    const PeIndex from = finish_.last(), to = finish_.first();
    ObjectsByLoad& held = held_[from];
    const auto largest =
        std::find_if(held.rbegin(), held.rend(), [&](const auto& entry) { return splittable(entry.second); });
    const double part = hole();
    if (largest == held.rend() || part <= 0 || part < least_ * snapshot_.pes.speed[to]) return false;
    if (largest->first <= room()) return false;  // it is moved whole
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
  double average_, threshold_, limit_, fill_, least_;
  bool heaviest_first_, may_split_;
  std::vector<double> left_;  // the load of each object without the parts split off
  std::vector<ObjectsByLoad> held_;
  PeExtremes finish_;
  Decision decision_;
};

}  // namespace

std::span<const Key> move_split_keys() {
  static constexpr Key keys[] = {
      real_key(
          kTriggerKey, "1.2", 1, 100,
          "acts while the largest finish time is above this multiple of the perfect one; what goes whole "
          "brings its receiver within it, from below as from above"),
      choice_key("whole", "window", "window|heaviest",
                 "which whole object goes: the first by which its receiver gets within the threshold, or the "
                 "heaviest that fits. 1 as threshold: the heaviest"),
      real_key("tolerance", "1.0001", 1, 10,
               "of whole=heaviest: largest finish time to aim at, as a multiple of the perfect one"),
      real_key("fill", "0.5", 0, 1,
               "of whole=heaviest: least share of what a PE lacks that a whole object fills, if one could be "
               "split instead"),
      real_key("least", "0.001", 0, 1,
               "least part that is split off or left, as a share of the load of an average PE"),
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
