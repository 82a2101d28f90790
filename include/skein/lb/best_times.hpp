// SPDX-License-Identifier: Apache-2.0
// When LB steps should have been: the times of steps with which a job takes least, known afterwards. What a
// rule that decides while the job runs can be held against. Pure.
//
// A step at a point costs its own time, and from then on each point takes what the placement that it has made
// gives, until the next step. So the least time up to a point follows from the least times up to those before
// it (R. Bellman, "Dynamic Programming", 1957):
//     T(j) = min over i < j of T(i) + step(i) + what the points i, i + 1, ... j - 1 take on its placement,
// which are n^2 / 2 sums for n points, and each placement is asked for once.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace skein::lb {

/// What comes of a step that is made before a point.
struct StepTimes {
  double step_s = 0;            // the step itself
  std::vector<double> point_s;  // what this and each later point takes, as long as no other step is made
};

/// Asked for each point in their order; of point 0, before which there can be no step, it is what the first
/// placement gives, and step_s counts for nothing. `before`: the point of the step before it in the best
/// sequence that leads there, 0 if none is. Where what a step makes depends on earlier ones, it is to be told
/// as after that one: then the result is the best of sequences that begin as the best ones that lead to their
/// last step, and else it is the best of all.
using HeldAfter = std::function<StepTimes(std::size_t point, std::size_t before)>;

struct BestTimes {
  double seconds = 0;
  std::vector<std::size_t> steps = {};  // the points before which they are, rising
};

/// Steps can be before each `every`-th of so many points, the first excepted.
BestTimes best_times(std::size_t points, std::size_t every, const HeldAfter& held_after);

}  // namespace skein::lb
