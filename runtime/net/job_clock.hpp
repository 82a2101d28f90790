// SPDX-License-Identifier: Apache-2.0
// One time base for the job. The monotonic clock of a node counts from its boot, so those of two nodes differ
// by days, and by some microseconds more with every second. Each node's offset to that of PE 0 is measured by
// exchanges of empty messages (Cristian, Distributed Computing 3, 1989): the one with the shortest round trip
// counts, and is wrong by at most half of it. Nodes ask along a binomial tree, so that it takes log2(nodes)
// exchanges and errors add up over as many.
#pragma once

#include "runtime/base/clock.hpp"

namespace skein::net {

/// What is known of other clocks.
struct JobClock {
  double offset = 0;  ///< of the job's clock to this node's, s
  /// Offset of the clock of PE 0's node when the clocks were compared, and by how much that is wrong at most,
  /// s.
  double measured_offset = 0, error = 0;
  double set_forward = 0;  ///< of all clocks, so that none had to go back, s
  double compared_at = 0;  ///< seconds()
};
extern JobClock job_clock;

/// Seconds of the clock that all PEs share. It never goes back on a PE, and for a rank that moves only if the
/// clocks have drifted by more since they were last set than the LB step takes. Callable from anywhere.
inline double job_seconds() { return seconds() + job_clock.offset; }

/// Measures the offsets. Collective over all PEs, from their own stacks, in net::start().
void start_job_clock();

/// Compares the clocks again if a second has passed since the last time: those that have fallen behind are
/// set forward. Collective over all PEs, from their own stacks, while no message is under way. Nothing
/// happens on one node.
void correct_job_clock();

}  // namespace skein::net
