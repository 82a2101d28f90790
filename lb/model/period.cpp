// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/period.hpp"

#include <algorithm>
#include <cmath>

namespace skein::lb {
namespace {

// What is expected before anything was seen: one time that so much of a point's time becomes excess.
constexpr double kFirstGuess = 0.03;
// An interval is at most so many times as long as all before it together.
constexpr double kLongest = 4;
// Each halves the error of the root at least.
constexpr int kIterations = 20;

}  // namespace

std::uint64_t AutoPeriod::next(const PeriodInput& input) {
  const double points = static_cast<double>(std::max<std::uint64_t>(input.points, 1));
  const double older = passed_ / (passed_ + points);  // weights are numbers of points, over that of the last
  grown_ *= older;
  chance_ = older * chance_ + std::sqrt(points) * input.unforeseen_s;
  weight_ = older * weight_ + points;
  passed_ += points;
  if (excess_left_ >= 0) grown_ += input.persistence * (input.excess_before_s / points - excess_left_);
  excess_left_ = input.excess_after_s / points;

  const double point_s = input.interval_s / points;
  const double growth = (kFirstGuess * point_s + std::max(0.0, grown_)) / (weight_ + 1);
  const double waiting = chance_ / weight_ / 2;
  double best = points;
  for (int k = 0; k < kIterations && growth > 0; ++k)
    best = std::sqrt(4 * (input.look_s + waiting * std::sqrt(best)) / (3 * growth));
  return static_cast<std::uint64_t>(std::clamp(std::round(best), 1.0, kLongest * passed_));
}

}  // namespace skein::lb
