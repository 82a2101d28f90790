// SPDX-License-Identifier: Apache-2.0
// The loop of a PE's own stack: runs ranks, polls the transport, and meets the other PEs whenever every rank
// of this PE is at a sync point or at its end. If all ranks of the job have ended then, the job is over; if
// some are at a sync point, an LB step follows for all that still run.
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
/// elsewhere. `behind_step` is called behind each LB step, on all PEs, when all ranks are stopped, and
/// returns true if they go on here. `for_state`: there was no step; the ranks stopped for a state of the job
/// (sync.hpp).
void run_pe(const std::function<bool(bool for_state)>& behind_step);
/// Notes that ranks were brought to this PE that had stopped for an LB step; `live` of them have not ended.
/// They go on behind it once run_pe() is called, before which this must be called.
void go_on_behind_step(int live);

/// Waits a while for something to happen, when no fiber is ready and a look for messages found none. From the
/// PE's own stack, or a sleeping fiber's (Upcalls::wait).
void wait_idly();

/// Does what is due by the clock: the status line, a call for an LB step, progress or end of a decision, a
/// call to reserved PEs. Switches to no rank. Called from the loop, and from calls of ranks, since none
/// returns to the loop while there is always a message for one of them. Returns true if a decision made
/// progress.
bool go_on_balancing();

/// Notes that a rank is at a sync point or at its end; called by the rank.
void note_rank_at_sync();
void note_rank_ended(const Rank& rank);
/// Resumes the ranks that have stopped in waits (sync.hpp).
void call_stop_off();

/// Returns true if every live rank of this PE is at a sync point: the PE is in a meeting or on its way into
/// one. Asks the ranks alone, since a poll inside the loop may call this before the loop has noticed it.
bool may_meet();
/// Returns how many meetings this PE has left.
std::uint64_t meetings_ended();

/// Returns the number of ranks on this PE that have not ended.
std::size_t live_ranks();
/// Sets how many live ranks are here after ranks moved, all at their sync point.
void set_live_ranks(int count);

/// Returns the seconds that the last meeting took on this PE, waiting for the others included.
double last_meeting_seconds();

}  // namespace skein::pe
