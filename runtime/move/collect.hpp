// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "skein/lb/distributed.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::move {

/// What the load of a rank is, for the strategies: the events of this counter (an index into Meter::counters)
/// instead of the time it computed. What MPIX_Load_set() said goes before both.
void set_load_counter(int counter);

/// The snapshot of the whole job: object i is rank i. Collective over all PEs, the same result on each. Takes
/// the loads since the last call and starts the next interval. Ranks that have ended are objects without load
/// that must stay. The snapshot has positions if all live ranks declared theirs. A rank that must stay for
/// another reason is told of on standard error, with the reason, by its PE: the first time, and when the
/// reason changes.
lb::Snapshot collect_snapshot();
/// The seconds that each rank of that snapshot computed, where its load is events; null where it is time.
const std::vector<double>* busy_of_ranks();
/// What this PE alone knows of its own ranks, for a distributed strategy; nothing of the ranks travels but
/// the numbers of those that must stay. Collective; takes the loads as collect_snapshot() does.
lb::LocalPe collect_local();
/// The ranks that the last of these calls found so, ascending; the same on each PE.
const std::vector<int>& pinned_ranks();

}  // namespace skein::move
