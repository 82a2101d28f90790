// SPDX-License-Identifier: Apache-2.0
// What a job with made-up loads takes in a simulation without messages: each point as long as its fullest PE.
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
// With steps where `is_step` says so, which is told of each point by how much its fullest PE took longer than
// the mean of all, seconds; `stepped` of what a step has taken. `window`: loads are of the last so many
// points, and 0 of all since the step before.
Played play_where(const Job& job, const skein::simulate::Platform& platform,
                  const skein::simulate::Policy& policy, const std::function<bool(double)>& is_step,
                  const std::function<void(double)>& stepped, std::size_t window = 0);

// With steps at the best of times, by the best of some strategies which see the last points, some more, or
// all since the step before.
skein::lb::BestTimes optimum(const Job& job, const skein::simulate::Platform& platform);

}  // namespace autojudge
