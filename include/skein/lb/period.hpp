// SPDX-License-Identifier: Apache-2.0
// How many sync points to let pass until the next LB step: `--lb-period auto`.
//
// Imbalance comes back after a step; waiting K points costs its growth, d seconds a point with each point,
// for K / 2 points on average, and a step costs C every K points: K = sqrt(2 C / d) makes the sum least (the
// argument is that of J. W. Young, "A first order approximation to the optimum checkpoint interval",
// Communications of the ACM 17 (1974)).
//
// What varies from interval to interval without lasting looks the same at first: it is there again after
// every step. So excess counts only as far as it persists (drift.hpp); without that, noise of a few percent
// would have a balanced program stopped at every sync point.
#pragma once
#include <cstdint>

namespace skein::lb {

// What an interval and the step at its end showed, equal on all processes.
struct PeriodInput {
  std::uint64_t points = 1;    // sync points in the interval
  double interval_s = 0;       // its length
  double excess_before_s = 0;  // largest finish time less the perfect one, over the interval
  double excess_after_s = 0;   // the same loads on the new placement
  double look_s = 0;           // the step without its movement
  double movement_s = 0;
  double persistence = 1;  // the part of an imbalance that lasts for such an interval
};

class AutoPeriod {
 public:
  explicit AutoPeriod(double most_overhead) : most_overhead_(most_overhead) {}

  // Sync points until the next step. At least half and at most twice the last interval's; never so few that
  // looking alone takes more than `most_overhead` of the time; never so many that the next interval is longer
  // than all before together.
  std::uint64_t next(const PeriodInput& input);

 private:
  double most_overhead_;
  double growth_ = 0;        // seconds a point, per point
  double excess_left_ = -1;  // per point, as the last step left it; negative before the first
  std::uint64_t passed_ = 0;
};

}  // namespace skein::lb
