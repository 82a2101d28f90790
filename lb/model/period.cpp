// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/period.hpp"

#include <algorithm>
#include <cmath>

namespace skein::lb {
namespace {

/// The growth expected before anything was seen: once, this part of a point's time becomes excess.
constexpr double kFirstGuess = 0.03;
/// The longest interval, in parts of all before it together; while steps take more than kCheap of the time,
/// kLongestOfDear times as long.
constexpr double kLongest = 0.25;
constexpr double kCheap = 0.01;
constexpr double kLongestOfDear = 4;
/// The guess of a step's movement, before intervals of different lengths have shown it: the part of it that
/// grows with the interval; and, in parts of the mean length, the deviation of lengths that counts as much as
/// the guess.
constexpr double kGrowing = 0.5;
constexpr double kTrust = 0.22;

}  // namespace

double AutoPeriod::constant_movement_s() const {
  const double points = points_ / steps_, moving_s = moving_s_ / steps_, trusted = kTrust * points;
  const double variance = points_squared_ / steps_ - points * points;
  const double covariance = moving_points_ / steps_ - points * moving_s;
  const double slope =
      (covariance + trusted * trusted * kGrowing * moving_s / points) / (variance + trusted * trusted);
  return std::clamp(moving_s - slope * points, 0.0, moving_s);
}

std::uint64_t AutoPeriod::next(const PeriodInput& input) {
  const double points = static_cast<double>(std::max<std::uint64_t>(input.points, 1));
  const double length_s = std::max(input.interval_s, 1e-9), point_s = length_s / points;
  const double older = passed_s_ / (passed_s_ + length_s);
  gained_ = older * gained_ + input.gained_s / length_s;
  returned_ = older * returned_ + input.returned;
  chance_s_ = older * chance_s_ + input.chance_s;
  moving_s_ = older * moving_s_ + input.moving_s;
  points_squared_ = older * points_squared_ + points * points;
  moving_points_ = older * moving_points_ + points * input.moving_s;
  steps_ = older * steps_ + 1;
  points_ = older * points_ + points;
  passed_s_ += length_s;

  const double guess = std::max(kFirstGuess, returned_ / steps_);
  const double growth = (guess + std::max(0.0, gained_)) / (points_ + 1);
  // A single step that takes longer than its neighbours, to try a strategy, is not typical.
  const double look_s = last_look_s_ < 0 ? input.look_s : std::min(last_look_s_, input.look_s);
  last_look_s_ = input.look_s;
  const double look = look_s / point_s, step = look + (chance_s_ / steps_ + constant_movement_s()) / point_s;
  passed_points_ += points;
  const double passed = std::min(passed_points_, passed_s_ / point_s);
  const double longest = std::max(kLongest * passed, std::min(look / kCheap, kLongestOfDear * passed));
  return static_cast<std::uint64_t>(
      std::max(1.0, std::round(std::min(std::sqrt(4 * step / (3 * growth)), longest))));
}

}  // namespace skein::lb
