// SPDX-License-Identifier: Apache-2.0
// Measures how long a gain lasts: for how many intervals it counts (Horizon), and which part of the measured
// imbalance is noise, which no step removes.
// Each step is compared with the last one and with the one before the last: how much of the gain would be
// left if that step had levelled the PEs? A loss that is equal over both distances is noise. Derived in
// docs/decisions/drift.md, proved by tests/unit/lb/drift_test.cpp.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

class Drift {
 public:
  /// Takes in the snapshot of an LB step, `intervals` after the last one, before anything moves. Intervals
  /// are in any unit that stays the same (sync points, steps of the application), and may differ in length.
  /// Objects are known by their ids; new objects count where they are.
  ///
  /// `expected`: the loads by which gains were, or could have been, promised at this step, if they are not
  /// the measured loads. The lasting of a gain is always judged by measured loads.
  void observe(const Snapshot& snapshot, double intervals, std::span<const double> expected = {});

  /// Compares the finish times of one placement by the loads of the last interval with those by the loads of
  /// the present one, both divided by the perfect finish time. PEs are taken to be equally fast.
  void learn(double intervals, std::span<const double> before, std::span<const double> now);

  /// After k times `intervals`, real * persistence^k of a gain is left; all of it until something was seen.
  /// If most of a gain was gone by the next step, or there was only one comparison, the whole loss counts as
  /// fading.
  struct Fading {
    double real = 1;
    double persistence = 1;
    /// How much more uneven a placement that was levelled once becomes in each of the `intervals`: growth of
    /// the largest finish time, in parts of the perfect one, without noise.
    double returning = 0;
    /// The standard deviation of a PE's finish time from the expected one, in parts of the perfect one.
    double spread = 0;
  };
  Fading fading(double intervals = 1) const;

 private:
  /// The results of comparisons over a distance in time, as sums in which old results weigh less.
  struct Comparisons {
    /// products / squares is the least-squares factor, so that large gains count most. Ratios of single
    /// comparisons would be all noise if there is little imbalance.
    double squares = 0;         // gain^2
    double products = 0;        // gain x what is left of it
    double gain_distances = 0;  // gain^2 x distance
    /// Sums of means, for comparisons without a gain as a weight.
    double weight = 0;  // of the comparisons
    double errors = 0;  // squares of the differences between finish times, means over the PEs
    double excess = 0;  // largest finish times above 1 of placements that had been levelled
    double distances = 0;

    void learn(double distance, std::span<const double> before, std::span<const double> now);
    double kept() const;
    double distance_of_gains() const;
    /// Precondition of both: there was a comparison.
    double mean_excess() const { return excess / weight; }
    double mean_distance() const { return distances / weight; }
  };
  /// Returns Fading::returning for one interval. Precondition: there was a comparison.
  double return_rate() const;

  Comparisons near_, far_;  // with the last step, and with the one before the last

  struct Observation {
    std::vector<std::uint64_t> ids;
    Assignment placement;
    std::vector<double> finish;

    bool empty() const { return finish.empty(); }
    /// Returns the placement of the objects then; new objects are where they are now.
    Assignment placement_of(const Objects& objects) const;
  };
  Observation last_, before_last_;
  double last_intervals_ = 0;  // between the two observations
};

}  // namespace skein::lb
