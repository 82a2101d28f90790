// SPDX-License-Identifier: Apache-2.0
// Sync points as ranks meet them. Every rank counts its own; the period (period.hpp) selects which of them
// are LB steps, the same for all ranks, so a sync point that is none costs a counter and a comparison.
#pragma once

#include <cstdint>

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/balance/pace.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::pe {

/// From a rank's main fiber: `passed` is the rank's own count, in its slot. May switch; the rank may be on
/// another PE when this returns.
void sync_point(std::uint64_t& passed);

/// A sync point of a lazy job (runtime/balance/lazy/lazy_pe.hpp), or of one that agrees on its steps
/// (runtime/balance/agreed_steps.hpp), in parts: whether the rank is to stop at
/// the point that it stands at. If not, it has passed it. It may have waited, and left its share: then it has
/// let others of its PE go on.
bool comes_to_stop(Rank& rank, std::uint64_t& passed);
/// Once: adds to a share what was measured of a rank that runs here, since the last time.
void measure_shares_by(void (*append)(Rank& rank, std::vector<std::byte>& share));
/// Stops there, until the decision is applied: then comes_to_stop() is to be asked again.
void stop_at_point();
// ---- steps without a sync point (runtime/balance/agreed_steps.hpp): each rank stops in a wait

/// Ranks of this PE are to stop in the next call in which they wait for messages, those that wait now at
/// once.
void stop_in_waits();
bool stops_in_waits();
void end_stop_in_waits();
/// From a rank, in a call that waits: until `left` is 0, when whoever counts it down makes the calling fiber
/// ready. It may stop here for such a step, and so be on another PE when this returns.
void wait_where_it_may_stop(int& left, WaitReason why);
/// From a rank, in a call that has found nothing and is to be made again: it may stop here for such a step,
/// and so be on another PE when this returns.
void let_stop();
/// What the rank does beside that.
struct StopsInWaits {
  bool (*may_stop)(const Rank& rank);
  void (*leaves)(Rank& rank);                ///< before it may move
  void (*comes)(Rank& rank, int pe_before);  ///< as it goes on
  /// Summed over all PEs, 0 if ranks may move: no PE holds what ranks elsewhere have yet to come for.
  std::uint64_t (*held_for_others)();
  /// That it was not 0 while no rank was in a collective: sees to it that it becomes so. Collective, by all
  /// PEs from their own stacks.
  void (*hold_less)();
};
/// Once, where ranks may stop so; `by` lasts.
void let_stop_in_waits(const StopsInWaits& by);
/// StopsInWaits::held_for_others() while ranks are to stop so, else 0.
std::uint64_t held_for_others_in_waits();
void hold_less_for_others();

/// From a rank, as all ranks do: stops until all have, and a state of the job is written in place of an LB
/// step (run_pe()); in whose image, too, it goes on behind. May switch; the rank may be on another PE when
/// this returns.
void stop_for_state();
/// How many ranks of this PE have.
std::size_t stopped_for_state();
/// They go on behind the state, or are stopped again, as the PEs have met for a step. Before they go on.
void end_stops_for_state(bool all_have);

/// Ranks that wait for what others say are to look again.
void release_held();
/// Whether any rank of this PE waits so.
bool any_held();

struct SyncCalls;  // loop_state.hpp
/// Why no sync point was met, and what to do; `ranks`: of the job.
std::string sync_hint(const SyncCalls& calls, int ranks);

}  // namespace skein::pe
