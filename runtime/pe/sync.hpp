// SPDX-License-Identifier: Apache-2.0
// Sync points as ranks meet them. Every rank counts its own; the period (period.hpp) selects which of them
// are LB steps, the same for all ranks, so an ordinary sync point costs a counter and a comparison.
#pragma once

#include <cstdint>

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/balance/pace.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::pe {

/// Makes a sync point, from a rank's main fiber: `passed` is the rank's own count, in its slot. May switch;
/// the rank may be on another PE when this returns.
void sync_point(std::uint64_t& passed);

/// Makes a sync point of a lazy job (runtime/balance/lazy/lazy_pe.hpp), or of one that agrees on its steps
/// (runtime/balance/agreed_steps.hpp). Returns true if the rank is to stop at this point; otherwise the rank
/// has passed it. The rank may have waited or left its share, and may have let others of its PE go on.
bool comes_to_stop(Rank& rank, std::uint64_t& passed);
/// Sets the function that adds to a share what was measured of a running rank since the last time. Once.
void measure_shares_by(void (*append)(Rank& rank, std::vector<std::byte>& share));
/// Stops the rank at its point until the decision is applied; then the caller asks comes_to_stop() again.
void stop_at_point();
// ---- steps without a sync point (runtime/balance/agreed_steps.hpp): each rank stops in a wait

/// Makes ranks of this PE stop in the next call in which they wait for messages; those that wait now stop at
/// once.
void stop_in_waits();
bool stops_in_waits();
void end_stop_in_waits();
/// Waits, from a rank, until `left` is 0; whoever counts it down makes the calling fiber ready. May stop here
/// for a step without a sync point; the rank may be on another PE when this returns.
void wait_where_it_may_stop(int& left, WaitReason why);
/// Lets a rank stop for a step without a sync point, in a call that has found nothing and is to be made
/// again. The rank may be on another PE when this returns.
void let_stop();
/// The functions for ranks that stop in waits.
struct StopsInWaits {
  bool (*may_stop)(const Rank& rank);
  void (*leaves)(Rank& rank);                ///< called before the rank may move
  void (*comes)(Rank& rank, int pe_before);  ///< called as the rank goes on
  /// Returns a number whose sum over all PEs is 0 if ranks may move: no PE holds data that stopped ranks have
  /// yet to come for.
  std::uint64_t (*held_for_others)();
  /// Makes held_for_others() become 0, when it was not although no rank was in a collective. Collective, by
  /// all PEs from their own stacks.
  void (*hold_less)();
};
/// Allows ranks to stop in waits. Once; `by` must last.
void let_stop_in_waits(const StopsInWaits& by);
/// Returns StopsInWaits::held_for_others() while ranks are to stop in waits, else 0.
std::uint64_t held_for_others_in_waits();
void hold_less_for_others();

/// Stops a rank until all ranks have called this, and a state of the job is written in place of an LB step
/// (run_pe()). A rank of the written image goes on behind this call, too. May switch; the rank may be on
/// another PE when this returns.
void stop_for_state();
/// Returns how many ranks of this PE have stopped for a state.
std::size_t stopped_for_state();
/// Tells the ranks that stopped for a state, before they go on, whether all have: they go on behind it, or
/// else stop again, as the PEs have met for a step.
void end_stops_for_state(bool all_have);

/// Makes ranks that wait for what other PEs say look again.
void release_held();
/// Returns true if a rank of this PE waits for what other PEs say.
bool any_held();

struct SyncCalls;  // loop_state.hpp
/// Returns why no sync point was met, and what to do; `ranks`: of the job.
std::string sync_hint(const SyncCalls& calls, int ranks);

}  // namespace skein::pe
