// SPDX-License-Identifier: Apache-2.0
// How long a gain lasts: what says for how many intervals it counts (Horizon), and how much of what was
// measured is noise, which no step removes.
//
// Had the last step levelled the PEs, what would be left of that gain by the loads of the interval since? The
// answer needs no step that really moved something, nor a strategy: every PE above the mean gives the same
// part of each of its objects to those below, in proportion to what these lack. Where work has wandered on,
// what was given away is missing here and too much there. Where the imbalance was noise, the levelled PEs are
// as far apart as those that were left alone, and nothing is left of the gain.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

class Drift {
 public:
  // The snapshot of each LB step, `intervals` after the last one, before anything moves. Intervals are in any
  // unit that stays the same (sync points, steps of the application), and may differ in length. Objects are
  // known by their ids; new ones count where they are.
  void observe(const Snapshot& snapshot, double intervals);

  // The same from finish times of one placement, divided by the perfect one: by the loads of the last
  // interval and by those of the present one. PEs are taken to be equally fast.
  void learn(double intervals, std::span<const double> before, std::span<const double> now);

  // The part of a gain that is left one interval later, in (0, 1]. 1 as long as nothing was seen.
  double persistence() const;
  // After `intervals`.
  double persistence(double intervals) const;
  // The same where imbalance that is new counts against the gain, though it would be there without it, too:
  // what one levelling is worth against going on levelling. At most persistence().
  double levelness() const;

 private:
  double after(double intervals, double products) const;
  Assignment last_placement(const Objects& objects) const;

  // Sums over what was learned, the older the less: gain^2, gain x what is left of it, gain^2 x intervals.
  // The ratio of the first two is the least-squares factor, so that large gains count most. Single ratios
  // would be all noise where there is little imbalance.
  double squares_ = 0, products_ = 0, level_products_ = 0, squares_intervals_ = 0;

  // Of the last observation.
  std::vector<std::uint64_t> ids_;
  Assignment placement_;
  std::vector<double> finish_;
};

}  // namespace skein::lb
