// SPDX-License-Identifier: Apache-2.0
// Predicts an object's next load from its last ones. Strategies see the prediction as the load.
//
// Intervals may differ in length (--lb-period auto; a period in seconds; the last interval of a job), and
// loads grow with it. So models work on rates, and predict the load of an interval as long as the last one.
//
// Pure: the same steps give the same prediction on every process that saw the same snapshots.
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

/// The loads of an object in the last intervals, the oldest first; at least one.
struct PastLoads {
  std::span<const double> loads;
  std::span<const double> lengths;  // of the intervals, relative to the last one, whose length is 1

  std::size_t size() const { return loads.size(); }
  double rate(std::size_t k) const { return loads[k] / lengths[k]; }
};

/// Returns the last load.
double last_value(const PastLoads& past);
/// Returns the sum of the loads over the sum of the lengths.
double average(const PastLoads& past);
/// Returns the median rate; for an even number of rates the mean of the middle two.
double median(const PastLoads& past);
/// Returns the value in the middle of the next interval of the least-squares line through the rates, each
/// placed at the middle of its interval and weighted by its length; 0 if that is negative. Returns a single
/// load as it is.
double linear_extrapolation(const PastLoads& past);

/// Functions of an object's loads in the subphases of a step.
double sum_of_subphases(std::span<const float> subphases);
double largest_subphase(std::span<const float> subphases);

/// `over_subphases` makes the load of one step, `over_steps` predicts from the last `steps` loads.
struct LoadModel {
  std::string_view name = "last";
  double (*over_steps)(const PastLoads& past) = last_value;
  std::size_t steps = 1;                                                 // at most this many steps are used
  double (*over_subphases)(std::span<const float> subphases) = nullptr;  // null: the load as it was measured

  bool changes_nothing() const { return steps == 1 && !over_subphases; }
};

/// Parses NAME[:key=value,...] with names last, average, median, linear; keys n (steps, not for `last`) and
/// subphases=total|sum|max. Throws StrategyError.
LoadModel parse_load_model(std::string_view text);

/// The steps that a model uses, by object id, so that it does not matter where the objects are.
class LoadHistory {
 public:
  explicit LoadHistory(LoadModel model) : model_(model) {}

  /// Takes in a step, and returns the predicted load of each of its objects in a next step of equal length.
  /// Interval lengths are sync points if all relevant ones are known, else seconds if those are known; else
  /// intervals count as equal. Objects that are not in the step are forgotten; an immovable object without
  /// load counts as ended. For objects without subphases, their load is used instead of `over_subphases`.
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
