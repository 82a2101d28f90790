// SPDX-License-Identifier: Apache-2.0
// One time base for the job. The monotonic clock of a node counts from its boot, so those of two nodes differ
// by days, and by some microseconds more with every second. Exchanges of empty messages measure each node's
// offset to PE 0 (Cristian, Distributed Computing 3, 1989): the one with the shortest round trip counts, and
// is wrong by at most half of it. Nodes ask along a binomial tree, so that log2(nodes) exchanges suffice,
// over which errors add up.
#pragma once

#include "runtime/base/clock.hpp"

namespace skein::net {

/// The offsets of other clocks as this PE knows them.
struct JobClock {
  double offset = 0;  ///< of the job's clock to this node's, s
  /// Offset of the clock of PE 0's node when the clocks were compared, and the bound on its error, s.
  double measured_offset = 0, error = 0;
  double set_forward = 0;  ///< the sum of corrections of all clocks, made so that none had to go back, s
  double compared_at = 0;  ///< time of the last comparison, by seconds()
};
extern JobClock job_clock;

/// Returns the seconds of the clock that all PEs share. It never goes back on a PE; for a rank that moves it
/// goes back only if the clocks have drifted apart, since they were last set, by more than the LB step takes.
/// Callable from anywhere.
inline double job_seconds() { return seconds() + job_clock.offset; }

/// Measures the offsets. Collective over all PEs, from their own stacks, in net::start().
void start_job_clock();

/// Compares the clocks again if a second has passed since the last comparison, and sets forward those that
/// have fallen behind. Collective over all PEs, from their own stacks, while no message is under way. Does
/// nothing on one node.
void correct_job_clock();

}  // namespace skein::net
