// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/balance/interval.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::move {

/// What the load of a rank is, for the strategies: the events of this counter (an index into Meter::counters)
/// instead of the time it computed. What MPIX_Load_set() said goes before both.
void set_load_counter(int counter);

/// Once for a job, before end_interval().
void begin_intervals();
/// Measures the ranks of this PE, also those that have ended, and begins the next interval. A rank belongs
/// where it was when this was first called, which is before any moved.
balance::IntervalShare end_interval();

/// The snapshot of the whole job, of what end_interval() has measured: object i is rank i. Collective over
/// all PEs, the same result on each. Ranks that have ended are objects without load that must stay. The
/// snapshot has positions if all live ranks declared theirs. A rank that must stay for another reason is told
/// of on standard error, with the reason, by its PE: the first time, and when the reason changes.
lb::Snapshot collect_snapshot();
/// The seconds that each rank of that snapshot computed, where its load is events; null where it is time.
const std::vector<double>* busy_of_ranks();
/// What this PE alone knows of its own ranks, for a distributed strategy; nothing of the ranks travels but
/// the numbers of those that must stay. Collective.
lb::LocalPe local_ranks();
/// The ranks that the last of these calls found so, ascending; the same on each PE.
const std::vector<int>& pinned_ranks();

}  // namespace skein::move
