// SPDX-License-Identifier: Apache-2.0
// How long a gain lasts: what says for how many intervals it counts (Horizon), and how much of what was
// measured is noise, which no step removes.
//
// Had the last step levelled the PEs, what would be left of that gain by the loads of the interval since? The
// answer needs no step that really moved something, nor a strategy: every PE above the mean gives the same
// part of each of its objects to those below, in proportion to what these lack. Where work has wandered on,
// what was given away is missing here and too much there. Where the imbalance was noise, the levelled PEs are
// as far apart as those that were left alone, and nothing is left of the gain.
//
// Noise takes its part of a gain at once, and no more of it later; drift takes a part in every interval. One
// comparison cannot tell them apart, so each step is compared with the last one and with the one before: what
// is the same over both distances is noise.
//
// Two things are estimated, since they answer two questions.
//   Is balancing better than none? The part of a gain that is left, a ratio: the least-squares factor between
//   gains and what is left of them, through the origin. It has in it what becomes of the imbalance that was
//   left alone, too, which may grow or go away by itself.
//   Is levelling once better than to go on levelling? How uneven a placement becomes that was levelled, in
//   parts of the perfect finish time. What becomes of the old placement is no part of it: a spot of work that
//   leaves the fullest PE takes from the ratio, but both ways of levelling lose that alike. The expectation
//   is noise + rate x distance, so that the rate is the difference of two means, over the two distances,
//   divided by that of the distances, and noise is not in it. It is linear: work that wanders on evenly takes
//   as much away in each interval. A mean is over as many comparisons as weigh anything, at most 1 / (1 -
//   0.8) = 5, so its standard error is half of what noise makes the fullest PE vary by.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

class Drift {
 public:
  /// The snapshot of each LB step, `intervals` after the last one, before anything moves. Intervals are in
  /// any unit that stays the same (sync points, steps of the application), and may differ in length. Objects
  /// are known by their ids; new ones count where they are.
  ///
  /// `expected`: loads by which gains were, or could have been, promised at this step, where these are not
  /// the measured ones; what becomes of a gain always shows in measured loads.
  void observe(const Snapshot& snapshot, double intervals, std::span<const double> expected = {});

  /// Compares finish times of one placement, divided by the perfect one: by the loads of the last interval
  /// and by those of the present one. PEs are taken to be equally fast.
  void learn(double intervals, std::span<const double> before, std::span<const double> now);

  /// What is left of a gain after k times `intervals` is real * persistence^k. All of it as long as nothing
  /// was seen. Where most of a gain was gone by the next step, or there was but one comparison, all that is
  /// gone counts as fading.
  struct Fading {
    double real = 1;
    double persistence = 1;
    /// By how much more uneven a placement that was levelled once is after each of the `intervals`: largest
    /// finish time, in parts of the perfect one. Noise is not in it.
    double returning = 0;
  };
  Fading fading(double intervals = 1) const;
  /// The part of a gain that is left after `intervals`, in (0, 1].
  double persistence(double intervals = 1) const;

 private:
  /// What comparisons over a distance in time showed: sums, the older the less.
  struct Comparisons {
    /// The ratio of the second to the first is the least-squares factor, so that large gains count most.
    /// Single ratios would be all noise where there is little imbalance.
    double squares = 0;         // gain^2
    double products = 0;        // gain x what is left of it
    double gain_distances = 0;  // gain^2 x distance
    /// These have no gain to weigh them with: means.
    double weight = 0;  // of comparisons
    double excess = 0;  // above 1 of what had been levelled
    double distances = 0;

    void learn(double distance, std::span<const double> before, std::span<const double> now);
    double kept() const;
    double distance_of_gains() const;
    /// Once there is a comparison.
    double mean_excess() const { return excess / weight; }
    double mean_distance() const { return distances / weight; }
  };
  /// Fading::returning for one interval, once there is a comparison.
  double return_rate() const;

  Comparisons near_, far_;  // with the last step, and with the one before

  struct Observation {
    std::vector<std::uint64_t> ids;
    Assignment placement;
    std::vector<double> finish;

    bool empty() const { return finish.empty(); }
    /// Where the objects were then; new ones where they are.
    Assignment placement_of(const Objects& objects) const;
  };
  Observation last_, before_last_;
  double last_intervals_ = 0;  // between the two
};

}  // namespace skein::lb
