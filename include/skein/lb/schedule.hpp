// SPDX-License-Identifier: Apache-2.0
// Which sync points are LB steps. A value that is the same on all PEs and for all objects, so that they agree
// without a message.
#pragma once
#include <cstdint>

namespace skein::lb {

/// When sync points are LB steps.
struct Period {
  std::uint64_t points = 0;  // every so many; 0: never
  double seconds = 0;        // if above 0: every sync point gathers the objects, and those at which so much
                             /// time has passed are steps
  bool automatic = false;    // the first sync point is a step, and each step says when the next one is
};

class Schedule {
 public:
  explicit Schedule(Period period = {}) : period_(period) {}

  /// Whether the next sync point of an object that has passed so many gathers all, so that they may be moved
  /// there.
  bool next_gathers(std::uint64_t passed) const {
    if (period_.automatic) return passed + 1 == next_step_;
    return period_.seconds > 0 || (period_.points > 0 && (passed + 1) % period_.points == 0);
  }
  /// At a step: how many sync points it comes after the last one (in a period of seconds, 1).
  std::uint64_t points_in_interval() const {
    if (period_.automatic) return interval_;
    return period_.seconds > 0 ? 1 : period_.points;
  }
  /// At a step, with an automatic period: the next one is so many sync points later.
  void set_next_step(std::uint64_t points) {
    interval_ = points;
    next_step_ += points;
  }

 private:
  Period period_;
  /// With an automatic period: the sync point that is the next step, and how many come after the last one to
  /// it.
  std::uint64_t next_step_ = 1, interval_ = 1;
};

}  // namespace skein::lb
