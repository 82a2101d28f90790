// SPDX-License-Identifier: Apache-2.0
// Tells when to give up an MPI launcher. A launcher may wait for ever if a PE is killed while the MPI
// underneath starts: Open MPI's (4.1) does, when another PE then ends at the wrong moment.
#pragma once

#include <sys/types.h>

#include <algorithm>

namespace skein::launch {

class LauncherWatch {
 public:
  /// `expected`: the number of PEs that report from this machine, if it is the only one, each within
  /// `start_s` after the one before, and none ends before all do; 0: unknown.
  LauncherWatch(int expected, double start_s) : expected_(expected), start_s_(start_s) {}

  /// Notes that a PE has reported. It does so before the MPI underneath starts.
  void reported();
  /// Notes that the MPI underneath has started, and so have all PEs, of which some may be on other machines.
  void started() { expected_ = std::min(expected_, reported_); }
  /// Notes that a PE that had reported is gone; `lost`: without a goodbye.
  void gone(bool lost);
  /// Notes that all processes were stopped and go on: that time does not count.
  void slept();
  /// Returns true if there is something to wait for: the caller then calls is_in_vain() a few times a second.
  bool waits() const;
  /// Returns true if the launcher will not end by itself, or not start what it should.
  bool is_in_vain(pid_t launcher);

 private:
  bool is_starting() const { return reported_ < expected_; }
  void give_time_to_end();

  int expected_, reported_ = 0;
  double start_s_;
  bool lived_ = false;  // a descendant of the launcher has lived in this start
  bool is_to_end_ = false;
  double until_ = 0;  // by seconds(): the end of a timed wait
};

}  // namespace skein::launch
