// SPDX-License-Identifier: Apache-2.0
// The loop of a PE's own stack: runs ranks, polls the transport, and whenever every rank of this PE is either
// at a sync point or at its end, meets the other PEs. What the PEs find then decides how it goes on: all
// ranks ended, so the job is over; or some are at a sync point, so it is one for all that still run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace skein {
struct Rank;
}

namespace skein::pe {

/// Adds a rank that lives on this PE, ready to run.
void add_rank(int rank);

/// Runs until all ranks of the job have ended, or until `behind_step` says that the job is to go on
/// elsewhere: it is called behind each LB step, on all PEs, when all ranks are stopped, and tells whether
/// they go on here. `for_state`: there was no step, but they stopped for a state of the job (sync.hpp).
void run_pe(const std::function<bool(bool for_state)>& behind_step);
/// Ranks were brought to this PE that had stopped for an LB step; `live` of them have not ended. They go on
/// behind it, once run_pe() is called. Before that.
void go_on_behind_step(int live);

/// Waits a while for something to happen, when no fiber is ready and a look for messages found none. From the
/// PE's own stack, or a sleeping fiber's (Upcalls::wait).
void wait_idly();

/// What is due by the clock: the status line, a call for an LB step, a decision that goes on or is over, a
/// call to reserved PEs. Switches to no rank. From the loop, and from calls of ranks: while there is always a
/// message for one of them, none returns to the loop. Returns whether a decision went on.
bool go_on_balancing();

/// Called by a rank on its way into a sync point, and at its end.
void note_rank_at_sync();
void note_rank_ended(const Rank& rank);
/// Those that have stopped in waits (sync.hpp) go on.
void call_stop_off();

/// Whether every live rank of this PE is at a sync point, so that the PE is in a meeting or on its way into
/// one. A poll inside the loop can ask before the loop has come to see it, so this goes by the ranks alone.
bool may_meet();
/// How many meetings this PE has left behind.
std::uint64_t meetings_ended();

/// Ranks on this PE that have not ended.
std::size_t live_ranks();
/// After ranks moved: how many live ones are here now, all at their sync point.
void set_live_ranks(int count);

/// Seconds that the last meeting took on this PE, waiting for the others included.
double last_meeting_seconds();

}  // namespace skein::pe
