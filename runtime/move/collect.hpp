// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/parallel.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein {
struct Rank;
}

namespace skein::move {

/// What the load of a rank is, for the strategies: the events of this counter (an index into Meter::counters)
/// instead of the time it computed. What MPIX_Load_set() said goes before both.
void set_load_counter(int counter);

/// Once for a job, before end_interval().
void begin_intervals();
/// Measures the ranks of this PE, also those that have ended, and begins the next interval. A rank belongs
/// where it was when this was first called, which is before any moved.
balance::IntervalShare end_interval();

/// What this PE's ranks are in the snapshot of the whole job, of what end_interval() has measured. A rank
/// that must stay is told of on standard error, with the reason, by its PE: the first time, and when the
/// reason changes.
std::vector<std::byte> share_of_ranks();
/// Packs the rank that runs, with what it took since it was last asked: in a lazy job, where end_interval()
/// reports no loads.
void append_running_rank(Rank& rank, std::vector<std::byte>& share);
/// Packs all ranks here that have not ended, which stand at sync point `stop`. Their loads are those since
/// they were last asked, scaled to a whole interval between askings.
std::vector<std::byte> share_of_stopped_ranks(std::uint64_t stop);
/// What all ranks took in the interval that these shares are of.
balance::IntervalShare interval_of(const net::PeBlocks& shares);
/// The snapshot, from the shares of all PEs: object i is rank i. Ranks that have ended are objects without
/// load that must stay. It has positions if all live ranks declared theirs. Those on PEs that do not compute
/// any more are taken to be on some that do.
lb::Snapshot snapshot_of_ranks(const net::PeBlocks& shares);
/// Unpacks the ranks of some PEs: ids are numbers of ranks. If ranks are pinned, pinned_ranks() has their
/// places in it.
lb::MeasuredPart part_of_ranks(const net::PeBlocks& shares);
/// After end_interval(): whether no rank of this PE is pinned or has ended.
bool all_may_leave();
/// The ranks of this PE, which stand at that sync point, count as asked there.
void note_asked(std::uint64_t point);
/// The ranks that the last share of this PE tells of, in its order.
const std::vector<int>& shared_ranks();
/// The seconds that each rank of that snapshot computed, where its load is events; null where it is time.
const std::vector<double>* busy_of_ranks();
/// What this PE alone knows of its own ranks, for a distributed strategy; nothing of the ranks travels but
/// the numbers of those that must stay. Collective.
lb::LocalPe local_ranks();
/// The ranks that the last of these calls found so, ascending; the same on each PE.
const std::vector<int>& pinned_ranks();

}  // namespace skein::move
