// SPDX-License-Identifier: Apache-2.0
// `--lb-period auto`: the number of sync points until the next LB step.
// It is the K for which 3 / 4 d K + C / K is least. d is the gain of steps, per point and point. C is the
// cost of a step before it moves anything, of the moves that it makes only because it is a step, and of the
// program's waiting because all PEs wait; all in seconds. Derived in docs/decisions/period.md, proved by
// tests/unit/lb/period_test.cpp.
#pragma once
#include <cstdint>

namespace skein::lb {

/// The measurements of an interval and of the step at its end, equal on all processes.
struct PeriodInput {
  std::uint64_t points = 1;  // sync points in the interval
  double interval_s = 0;     // the interval's length
  double gained_s = 0;       // over the interval, by the moves of the last step
  /// How much more uneven the interval was than the last step had left the loads that it saw: the growth of
  /// the fullest PE's excess, in parts of its computing.
  double returned = 0;
  double look_s = 0;    // the step without its movement
  double moving_s = 0;  // its movement
  double chance_s = 0;  // waiting at the step's beginning of the PE that was expected to be the fullest
};

class AutoPeriod {
 public:
  /// Returns the number of sync points until the next step: at most a quarter of those that have passed, so
  /// that a change is met in time. While steps are costly it is up to four times as many, until steps take a
  /// hundredth of the time.
  std::uint64_t next(const PeriodInput& input);

 private:
  /// Returns the part of a step's movement that does not grow with the points before it, seconds.
  double constant_movement_s() const;

  /// Sums over intervals. The weight of an interval is the time from the start to its end, divided by that to
  /// the last end.
  double gained_ = 0;  // of a point's time
  double returned_ = 0;
  double chance_s_ = 0;
  double steps_ = 0;
  double moving_s_ = 0;
  double points_squared_ = 0;
  double moving_points_ = 0;  // movement x points
  double points_ = 0;
  double passed_s_ = 0, passed_points_ = 0;  // without weights
  double last_look_s_ = -1;                  // negative before the first
};

}  // namespace skein::lb
