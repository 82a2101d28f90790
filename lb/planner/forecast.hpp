// SPDX-License-Identifier: Apache-2.0
// What each object will take in the next interval, by whichever of several guesses has come closest so far.
//
// A program whose loads last is best guessed by what it took last; one whose loads vary around a mean by that
// mean, and the more they vary the longer the mean has to be; where they are drawn anew each time, nothing
// that an object did says anything of what it will do, and all are alike. To take the last loads there is to
// chase noise: it moves what need not move, and leaves PEs with unlike numbers of objects, which is worse
// than having done nothing.
//
// So several guesses are made for each object: exponential means of its past rates, with weights per sync
// point from 1 (the last interval) down, and the mean over all objects. After each interval the squares of
// their errors are summed up over the objects, in parts of the largest sum, so that no interval counts more
// for having more load in it; what is older counts less, and the guess with the least says what the next
// interval will be. That all are alike has to show more than once: in a program that has just begun to change
// any guess may come nearer by chance, and this one places all objects anew. (Choosing among experts by
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

  /// Takes in an interval of so many sync points (in whatever unit, as long as it stays the same), and gives
  /// what each object is expected to take in one as long. Objects are known by their ids.
  std::vector<double> add(const Snapshot& snapshot, double points);

 private:
  /// Weights per point of what is new, in exponential means; then that all objects are alike.
  static constexpr std::array<double, 5> kWeights{1, 0.3, 0.1, 0.03, 0.01};
  static constexpr std::size_t kAlike = kWeights.size(), kGuesses = kAlike + 1;
  using Means = std::array<double, kWeights.size()>;  // rates

  std::vector<Means> means_of(const Snapshot& snapshot) const;
  void judge(const Snapshot& snapshot, const std::vector<Means>& known, double points);

  std::vector<std::uint64_t> ids_;  // of the last interval
  std::vector<Means> means_;
  std::uint64_t intervals_ = 0;          // so far
  double all_ = 0;                       // mean rate of its objects
  std::array<double, kGuesses> loss_{};  // squares of errors
};

}  // namespace skein::lb
