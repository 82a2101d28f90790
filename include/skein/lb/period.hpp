// SPDX-License-Identifier: Apache-2.0
// How many sync points to let pass until the next LB step: `--lb-period auto`.
// K points, where 3 / 4 d K + C / K is least. d is what steps gained a point, per point; C, what a step costs
// before it moves anything, what it moves because it is a step, and what the program loses because all PEs
// wait; all in seconds. Derived in docs/decisions/period.md, proved by tests/unit/lb/period_test.cpp.
#pragma once
#include <cstdint>

namespace skein::lb {

/// What an interval and the step at its end showed, equal on all processes.
struct PeriodInput {
  std::uint64_t points = 1;  // sync points in the interval
  double interval_s = 0;     // its length
  double gained_s = 0;       // by what the last step moved, over the interval
  /// By how much the interval was more uneven than the last step had left the loads that it saw: the excess
  /// of the fullest PE, in parts of what that computes.
  double returned = 0;
  double look_s = 0;    // the step without its movement
  double moving_s = 0;  // its movement
  double chance_s = 0;  // what the PE that was expected to be the fullest waited at its beginning
};

class AutoPeriod {
 public:
  /// Sync points until the next step: at most a quarter of what has passed, so that no change is met later
  /// than that; where steps are dear up to four times as much, until they take a hundredth of the time.
  std::uint64_t next(const PeriodInput& input);

 private:
  /// The part of a step's movement that does not grow with the points before it, seconds.
  double constant_movement_s() const;

  /// Sums over intervals, each of which weighs the time since the start, over that of the last.
  double gained_ = 0;  // of a point's time
  double returned_ = 0;
  double chance_s_ = 0;
  double steps_ = 0;
  double moving_s_ = 0;
  double points_squared_ = 0;
  double moving_points_ = 0;  // movement x points
  double points_ = 0;
  double passed_s_ = 0, passed_points_ = 0;  // not weighed
  double last_look_s_ = -1;                  // negative before the first
};

}  // namespace skein::lb
