// SPDX-License-Identifier: Apache-2.0
// Simulates a job with made-up loads without messages: each point takes as long as its fullest PE.
#pragma once
#include <cstdint>
#include <functional>

#include "bench/autojudge/loads.hpp"
#include "skein/lb/best_times.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"

namespace autojudge {

struct Played {
  double seconds = 0;
  std::size_t steps = 0;
  std::uint64_t moved = 0;
};
Played play(const Job& job, const skein::simulate::Platform& platform, const skein::simulate::Policy& policy);
// Plays the job with steps where `is_step` returns true; it gets, for each point, by how many seconds the
// fullest PE exceeded the mean. `stepped` gets the cost of each step. `window`: loads are those of the last
// `window` points; 0: all since the step before.
Played play_where(const Job& job, const skein::simulate::Platform& platform,
                  const skein::simulate::Policy& policy, const std::function<bool(double)>& is_step,
                  const std::function<void(double)>& stepped, std::size_t window = 0);

// Returns the best times of steps, each by the best of some strategies, which see the last points, more
// points, or all points since the step before.
skein::lb::BestTimes optimum(const Job& job, const skein::simulate::Platform& platform);

}  // namespace autojudge
