// SPDX-License-Identifier: Apache-2.0
// What is said of a recording of a machine that others used, too.
#pragma once

#include "skein/lb/trace.hpp"

namespace skein::trace {

/// For how long the calling thread has had a processor, s.
double processor_seconds();

/// What this PE's objects computed since the recording began, and lost.
struct Preempted {
  double busy_s = 0;  ///< what its objects computed, by the clock
  double lost_s = 0;  ///< of it, for how long others had the core
  /// Whether the bursts are without that. Else they are told by the clock alone, for the system does not say
  /// when a thread loses its processor, and it may be more.
  bool is_left_out = false;
};

/// Adds up all PEs, for the trace. PE 0 warns if others had the cores for clearly longer than clocks and
/// interrupts differ by. Collective.
Disturbance tell_preemption(const Preempted& here);

}  // namespace skein::trace
