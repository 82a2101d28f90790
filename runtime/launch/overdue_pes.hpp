// SPDX-License-Identifier: Apache-2.0
// Ends overdue PEs of a job that goes on after their end: a PE that is to leave and does not in time, and one
// that a signal has stopped for too long.
#pragma once

#include <sys/types.h>

#include <map>

#include "runtime/launch/pe_links.hpp"
#include "runtime/launch/supervise.hpp"

namespace skein::launch {

class OverduePes {
 public:
  /// `going_on` must outlast it.
  explicit OverduePes(const GoingOn& going_on);

  /// Returns the time between two looks.
  int look_ms() const { return look_ms_; }
  /// Returns true if some PE was ever to leave.
  bool any_leaves() const { return any_leaves_; }

  /// Notes that a PE is to end soon. Does nothing when repeated, or if nobody is to hear of it.
  void is_to_leave(const LinkedPe& pe);
  /// Kills the linked PEs whose time is over. Time in which this process itself was stopped, with the whole
  /// job, counts as at most two looks.
  void look(const PeLinks& links);
  /// Forgets a PE that is gone. Returns for how long a signal had stopped it, if it was killed for that; else
  /// 0.
  double forget(const LinkedPe& pe);

 private:
  struct Times {
    double leaves_by = 0;  // by seconds(); 0: it need not leave
    bool is_stopped = false;
    double stopped_s = 0;
  };

  const GoingOn& going_on_;
  const int look_ms_;
  bool any_leaves_ = false;
  double looked_at_ = 0;  // by seconds()
  std::map<pid_t, Times> times_;
};

}  // namespace skein::launch
