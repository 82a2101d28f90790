// SPDX-License-Identifier: Apache-2.0
// When the LB steps of a recorded job should have been, with a strategy on a platform (best_times.hpp).
//
// By loads alone: each sync point takes what its fullest PE computes, a step what the platform says of
// meeting, collecting, deciding and moving. What PEs wait for messages is in none of it; simulate() with
// Policy::steps_at says what the steps come to.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/best_times.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/snapshot.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// What objects compute from one sync point to the next, by point and object, ns on a PE of speed 1; the last
/// one ends with the job. And what moving them transfers.
struct PointLoads {
  std::vector<std::vector<std::uint64_t>> ns;
  std::vector<std::uint64_t> bytes;
};
/// The loads of a trace of ranks.
PointLoads point_loads(const trace::Trace& trace);

/// `policy`: its strategy, which must be one that looks at no messages; the rest of it does not matter.
/// `placed`: the PE of each object at first. The strategy sees what objects took in the last `window` points,
/// or, as in a run, since the step before (0). Steps are sync points, from 1. Where there are more than some
/// hundred points, steps are at every second, third, ... of them.
lb::BestTimes best_steps(const PointLoads& loads, const Platform& platform, const Policy& policy,
                         const lb::Assignment& placed, std::size_t window = 0);
/// The best steps for a trace of ranks, placed as the policy says.
lb::BestTimes best_steps(const trace::Trace& trace, const Platform& platform, const Policy& policy);

}  // namespace skein::simulate
