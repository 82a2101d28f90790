// SPDX-License-Identifier: Apache-2.0
// Decides which sync points are LB steps. A value, equal on all PEs and for all objects, so that they agree
// without a message.
#pragma once
#include <cstdint>

namespace skein::lb {

/// The rule for which sync points are LB steps.
struct Period {
  std::uint64_t points = 0;  // every `points`-th one; 0: never
  /// If above 0, every sync point gathers the objects, and is a step once so much time has passed.
  double seconds = 0;
  bool automatic = false;  // the first sync point is a step, and each step sets the next one
};

class Schedule {
 public:
  explicit Schedule(Period period = {}) : period_(period) {}

  /// Returns true if the next sync point of an object that has passed `passed` points gathers all, to move
  /// them.
  bool next_gathers(std::uint64_t passed) const {
    if (period_.automatic) return passed + 1 == next_step_;
    return period_.seconds > 0 || (period_.points > 0 && (passed + 1) % period_.points == 0);
  }
  /// Returns, at a step, how many sync points it comes after the last one (1 with a period of seconds).
  std::uint64_t points_in_interval() const {
    if (period_.automatic) return interval_;
    return period_.seconds > 0 ? 1 : period_.points;
  }
  /// Sets, at a step with an automatic period, that the next step is `points` sync points later.
  void set_next_step(std::uint64_t points) {
    interval_ = points;
    next_step_ += points;
  }

 private:
  Period period_;
  /// With an automatic period: the sync point of the next step, and its distance from the last step.
  std::uint64_t next_step_ = 1, interval_ = 1;
};

}  // namespace skein::lb
