// SPDX-License-Identifier: Apache-2.0
// Ends PEs of a job that goes on after their end: one that is to leave and does not in time, and one that a
// signal has stopped for too long.
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

  /// The time between two looks.
  int look_ms() const { return look_ms_; }
  /// Whether any PE has ever been to leave.
  bool any_leaves() const { return any_leaves_; }

  /// Somebody wants it to end soon. Asked again, or where nobody is to hear of it, nothing happens.
  void is_to_leave(const LinkedPe& pe);
  /// Kills those of the links whose time is over. Time in which this process itself was stopped, with the
  /// whole job, counts as no more than two looks.
  void look(const PeLinks& links);
  /// It is gone. For how long a signal had stopped it, if it was killed for that; else 0.
  double forget(const LinkedPe& pe);

 private:
  struct Times {
    double leaves_by = 0;  // by seconds(); 0: nobody wants it to
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
