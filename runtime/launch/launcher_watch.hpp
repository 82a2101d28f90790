// SPDX-License-Identifier: Apache-2.0
// Tells when to give up an MPI launcher. One whose PE is killed while the MPI underneath starts may wait for
// ever: Open MPI's (4.1) does, when another PE ends in the wrong moment behind it.
#pragma once

#include <sys/types.h>

#include <algorithm>

namespace skein::launch {

class LauncherWatch {
 public:
  /// `expected`: so many PEs are to report from this machine, if it is the only one, each within so long
  /// behind the one before, and none ends before all do; 0: it is unknown.
  LauncherWatch(int expected, double start_s) : expected_(expected), start_s_(start_s) {}

  /// A PE has reported. It does so before the MPI underneath starts.
  void reported();
  /// The MPI underneath has started, and so have all PEs, of which some may be on other machines.
  void started() { expected_ = std::min(expected_, reported_); }
  /// One that had reported is gone; `lost`: without a word.
  void gone(bool lost);
  /// All processes were stopped and go on: that time does not count.
  void slept();
  /// Whether there is something to wait for. Then call is_in_vain() a few times a second.
  bool waits() const;
  /// Whether the launcher will not end by itself, or not start what it should.
  bool is_in_vain(pid_t launcher);

 private:
  bool is_starting() const { return reported_ < expected_; }
  void give_time_to_end();

  int expected_, reported_ = 0;
  double start_s_;
  bool lived_ = false;  // something that descends from the launcher, in this start
  bool is_to_end_ = false;
  double until_ = 0;  // by seconds(), once it waits for something that can be timed
};

}  // namespace skein::launch
