// SPDX-License-Identifier: Apache-2.0
// The best LB steps, known afterwards: those with which a job takes least time. Rules that decide while the
// job runs are compared with them. Pure.
//
// A step costs its own time; until the next step, each point takes what the placement that the step made
// gives. So the least time up to a point follows from the least times up to the points before it (R. Bellman,
// "Dynamic Programming", 1957):
//     T(j) = min over i < j of T(i) + step(i) + what the points i, i + 1, ... j - 1 take on its placement,
// which are n^2 / 2 sums for n points; each placement is computed once.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace skein::lb {

/// The times that follow from a step before some point.
struct StepTimes {
  double step_s = 0;            // the step itself
  std::vector<double> point_s;  // time of this and of each later point, as long as no other step is made
};

/// Returns the times of a step before `point`; called for each point in order. For point 0, before which
/// there can be no step, it describes the first placement, and step_s is ignored. `before`: the point of the
/// last step before it in the best sequence that leads there, 0 if there is none. If the result of a step
/// depends on earlier ones, the answer must assume that step: then best_times() returns the best of the
/// sequences whose beginnings are themselves best, and else the best of all.
using HeldAfter = std::function<StepTimes(std::size_t point, std::size_t before)>;

struct BestTimes {
  double seconds = 0;
  std::vector<std::size_t> steps = {};  // the points before which the steps are, rising
};

/// Finds the best steps, which may be before each `every`-th of `points` points except the first.
BestTimes best_times(std::size_t points, std::size_t every, const HeldAfter& held_after);

}  // namespace skein::lb
