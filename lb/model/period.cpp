// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/period.hpp"

#include <algorithm>
#include <cmath>

namespace skein::lb {

std::uint64_t AutoPeriod::next(const PeriodInput& input) {
  const double points = static_cast<double>(std::max<std::uint64_t>(input.points, 1));
  const bool first = excess_left_ < 0;
  if (!first) {
    // Excess that grows evenly from what was left has grown half of it on average.
    const double growth = std::max(0.0, 2 * (input.excess_before_s / points - excess_left_) / points);
    growth_ = (growth_ + input.persistence * growth) / 2;
  }
  excess_left_ = input.excess_after_s / points;
  passed_ += input.points;

  const double step_s = input.look_s + input.movement_s;
  double next = first ? points : growth_ > 0 ? std::sqrt(2 * step_s / growth_) : 2 * points;
  next = std::clamp(next, points / 2, 2 * points);
  const double point_s = input.interval_s / points;
  if (point_s > 0) next = std::max(next, input.look_s / (most_overhead_ * point_s));
  next = std::min(next, static_cast<double>(passed_));
  return static_cast<std::uint64_t>(std::max(1.0, std::round(next)));
}

}  // namespace skein::lb
