// SPDX-License-Identifier: Apache-2.0
// The best LB steps of a recorded job, known afterwards, with a strategy on a platform (best_times.hpp).
//
// The search looks at loads alone: each sync point takes as long as its fullest PE computes, and a step takes
// what the platform says of meeting, collecting, deciding and moving. Waiting for messages is left out;
// simulate() with Policy::steps_at plays the steps that were found.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/best_times.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/snapshot.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// The computing of objects from one sync point to the next, by point and object, in ns on a PE of speed 1
/// (the last point ends with the job), and by object the bytes that moving it transfers.
struct PointLoads {
  std::vector<std::vector<std::uint64_t>> ns;
  std::vector<std::uint64_t> bytes;
};
/// Returns the loads of a trace of ranks.
PointLoads point_loads(const trace::Trace& trace);

/// Finds the best steps. `policy` names the strategy, which must not use messages; its other members do not
/// matter. `placed`: the first PE of each object. The strategy sees what objects took in the last `window`
/// points, or, as in a run, since the step before (0). Steps are sync points, counted from 1. With more than
/// some hundred points, only every second, third, ... of them can be a step.
lb::BestTimes best_steps(const PointLoads& loads, const Platform& platform, const Policy& policy,
                         const lb::Assignment& placed, std::size_t window = 0);
/// Finds the best steps for a trace of ranks, placed as the policy says.
lb::BestTimes best_steps(const trace::Trace& trace, const Platform& platform, const Policy& policy);

}  // namespace skein::simulate
