// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/auto_wait.hpp"

#include <algorithm>

#include "skein/lb/resources.hpp"

namespace skein::lb::lazy {
namespace {

/// Longer than any job waits for anything.
constexpr double kLongest = 1e6;

}  // namespace

Point AutoWait::next(const Snapshot& snapshot, double points) {
  drift_.observe(snapshot, points);
  const double growth = std::max(0.0, drift_.fading(1).returning);
  const double lost = steps_until_lost(tolerance, growth);
  return lost > kLongest ? kNever : static_cast<Point>(std::max(1.0, lost));
}

}  // namespace skein::lb::lazy
