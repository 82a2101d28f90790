// SPDX-License-Identifier: Apache-2.0
// What an object's next load will be, from the last ones. A strategy sees the prediction as the load.
//
// Pure: same steps, same prediction, on every process that saw the same snapshots.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

// Functions of an object's loads, the oldest first; at least one.
double last_value(std::span<const double> loads);
double average(std::span<const double> loads);
// The middle one; of an even number the mean of the two in the middle.
double median(std::span<const double> loads);
// The least-squares line through the loads, one step further; 0 where it falls below. A single load stays.
double linear_extrapolation(std::span<const double> loads);

// Functions of what an object took in each phase of a step.
double sum_of_phases(std::span<const float> phases);
double largest_phase(std::span<const float> phases);

// One function of each sort: first the load of a step is taken, then the last `steps` of them are.
struct LoadModel {
  std::string_view name = "last";
  double (*over_steps)(std::span<const double> loads) = last_value;
  std::size_t steps = 1;                                           // at most so many are looked at
  double (*over_phases)(std::span<const float> phases) = nullptr;  // null: the load as it was measured

  bool changes_nothing() const { return steps == 1 && !over_phases; }
};

// NAME[:key=value,...] with names last, average, median, linear; keys n (steps, not of `last`) and
// phases=total|sum|max. Throws StrategyError.
LoadModel parse_load_model(std::string_view text);

// The steps that a model looks at, by the objects' ids, so that it does not matter where they are.
class LoadHistory {
 public:
  explicit LoadHistory(LoadModel model) : model_(model) {}

  // Takes in a step, and returns what each of its objects is predicted to take in the next. Objects that are
  // not in the step are forgotten; one that took nothing and may not move is taken to have ended. Where
  // objects have no phases, their load counts instead of what the model makes of phases.
  std::vector<double> add(const Objects& objects);

 private:
  LoadModel model_;
  std::unordered_map<std::uint64_t, std::vector<double>> loads_of_;  // the oldest first
};

}  // namespace skein::lb
