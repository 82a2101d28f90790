// SPDX-License-Identifier: Apache-2.0
// How long a gain lasts: what says for how many intervals it counts (Horizon), and how much of what was
// measured is noise, which no step removes.
// Each step is compared with the last one and with the one before: what would be left of the gain, had that
// one levelled the PEs? What is lost over both distances alike is noise. Derived in docs/decisions/drift.md,
// proved by tests/unit/lb/drift_test.cpp.
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
