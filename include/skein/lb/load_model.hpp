// SPDX-License-Identifier: Apache-2.0
// What an object's next load will be, from the last ones. A strategy sees the prediction as the load.
//
// Intervals may differ in length (--lb-period auto; a period in seconds; the last one of a job), and what an
// object takes grows with them. So loads are compared as rates, and what is predicted is the load of an
// interval as long as the last one.
//
// Pure: same steps, same prediction, on every process that saw the same snapshots.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// What an object took in the last intervals, the oldest first; at least one.
struct PastLoads {
  std::span<const double> loads;
  std::span<const double> lengths;  // of the intervals, relative to the last one, whose length is 1

  std::size_t size() const { return loads.size(); }
  double rate(std::size_t k) const { return loads[k] / lengths[k]; }
};

/// What it is expected to take in an interval of length 1.
double last_value(const PastLoads& past);
/// All that it took, by the time that it had for it.
double average(const PastLoads& past);
/// The middle rate; of an even number the mean of the two in the middle.
double median(const PastLoads& past);
/// Rates stand for the middles of their intervals, and weigh as much as these are long: the least-squares
/// line through them, in the middle of the next interval; 0 where it falls below. A single load stays.
double linear_extrapolation(const PastLoads& past);

/// Functions of what an object took in each subphase of a step.
double sum_of_subphases(std::span<const float> subphases);
double largest_subphase(std::span<const float> subphases);

/// One function of each sort: first the load of a step is taken, then the last `steps` of them are.
struct LoadModel {
  std::string_view name = "last";
  double (*over_steps)(const PastLoads& past) = last_value;
  std::size_t steps = 1;                                                 // at most so many are looked at
  double (*over_subphases)(std::span<const float> subphases) = nullptr;  // null: the load as it was measured

  bool changes_nothing() const { return steps == 1 && !over_subphases; }
};

/// NAME[:key=value,...] with names last, average, median, linear; keys n (steps, not of `last`) and
/// subphases=total|sum|max. Throws StrategyError.
LoadModel parse_load_model(std::string_view text);

/// The steps that a model looks at, by the objects' ids, so that it does not matter where they are.
class LoadHistory {
 public:
  explicit LoadHistory(LoadModel model) : model_(model) {}

  /// Takes in a step, and returns what each of its objects is predicted to take in the next, if that is as
  /// long. Intervals are measured in sync points where these are known of all that are looked at, else in
  /// seconds if those are; else they are taken to be alike. Objects that are not in the step are forgotten;
  /// one that took nothing and may not move is taken to have ended. Where objects have no subphases, their
  /// load counts instead of what the model makes of subphases.
  std::vector<double> add(const Snapshot& snapshot);

 private:
  struct Length {
    double seconds, points;  // 0: not known
  };
  std::vector<double> relative_lengths() const;

  LoadModel model_;
  std::deque<Length> lengths_;  // of the last intervals, the oldest first
  std::unordered_map<std::uint64_t, std::vector<double>> loads_of_;  // the oldest first
};

}  // namespace skein::lb
