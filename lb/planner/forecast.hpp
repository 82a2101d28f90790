// SPDX-License-Identifier: Apache-2.0
// Forecasts the load of each object in the next interval, by that of several guesses which was best so far.
//
// If the loads of a program last, the last load is the best guess. If they vary around a mean, the mean is,
// and the more they vary the longer it has to be. If they are drawn anew each time, the past tells nothing of
// an object, and all objects are alike. Then, guessing the last loads means chasing noise: it moves objects
// in vain, and leaves PEs with unequal numbers of objects, which is worse than doing nothing.
//
// So several guesses are made for each object: exponential means of its past rates, with weights per sync
// point from 1 (the last interval) down, and the mean over all objects. After each interval the squares of
// their errors are summed over the objects, in parts of the largest sum, so that an interval does not count
// more because it has more load; old errors count less. The guess with the least sum forecasts the next
// interval. The mean over all objects has to win more than once: in a program that has just begun to change,
// any guess may be best by chance, and this one places all objects anew. (Choosing among experts by
// discounted loss: M. Herbster, M. K. Warmuth, "Tracking the best expert", Machine Learning 32 (1998).
// Exponential means: R. G. Brown, "Statistical forecasting for inventory control", 1959.)
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

class Forecast {
 public:
  Forecast();

  /// Takes in an interval of `points` sync points (or any unit that stays the same), and returns the load
  /// that each object is expected to have in an interval as long. Objects are known by their ids.
  std::vector<double> add(const Snapshot& snapshot, double points);

 private:
  /// The weights per point of the newest rate in the exponential means. The last guess is the mean over all
  /// objects.
  static constexpr std::array<double, 5> kWeights{1, 0.3, 0.1, 0.03, 0.01};
  static constexpr std::size_t kAlike = kWeights.size(), kGuesses = kAlike + 1;
  using Means = std::array<double, kWeights.size()>;  // rates

  std::vector<Means> means_of(const Snapshot& snapshot) const;
  void judge(const Snapshot& snapshot, const std::vector<Means>& known, double points);

  std::vector<std::uint64_t> ids_;  // of the last interval
  std::vector<Means> means_;
  std::uint64_t intervals_ = 0;          // so far
  double all_ = 0;                       // mean rate of the last interval's objects
  std::array<double, kGuesses> loss_{};  // sums of squared errors
};

}  // namespace skein::lb
