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

/// Makes the load of a rank the events of this counter (an index into Meter::counters) instead of the time it
/// computed. Loads set by MPIX_Load_set() take precedence over both.
void set_load_counter(int counter);

/// Begins the first interval. Once for a job, before end_interval().
void begin_intervals();
/// Measures the ranks of this PE, also those that have ended, and begins the next interval. A rank belongs to
/// the PE where it was at the first call, before any moved.
balance::IntervalShare end_interval();

/// Returns this PE's part of the snapshot of the whole job, as end_interval() has measured it. Says on
/// standard error which ranks must stay, with the reason: the first time, and when the reason changes.
std::vector<std::byte> share_of_ranks();
/// Packs the running rank, with the load since it was last asked: in a lazy job, where end_interval() reports
/// no loads.
void append_running_rank(Rank& rank, std::vector<std::byte>& share);
/// Packs all ranks here that have not ended, which stand at sync point `stop`. Their loads since they were
/// last asked are scaled to a whole interval between askings.
std::vector<std::byte> share_of_stopped_ranks(std::uint64_t stop);
/// Returns the time that all ranks took in the interval of these shares.
balance::IntervalShare interval_of(const net::PeBlocks& shares);
/// Makes the snapshot from the shares of all PEs: object i is rank i. Ranks that have ended are objects
/// without load that must stay. It has positions if all live ranks declared theirs. Ranks on PEs that no
/// longer compute are placed on some that do.
lb::Snapshot snapshot_of_ranks(const net::PeBlocks& shares);
/// Unpacks the ranks of some PEs: ids are numbers of ranks. If ranks are pinned, pinned_ranks() has their
/// places in it.
lb::MeasuredPart part_of_ranks(const net::PeBlocks& shares);
/// Returns true, after end_interval(), if no rank of this PE is pinned or has ended.
bool all_may_leave();
/// Notes that the ranks of this PE, which stand at that sync point, were asked there.
void note_asked(std::uint64_t point);
/// Returns the ranks in the last share of this PE, in its order.
const std::vector<int>& shared_ranks();
/// Returns the seconds that each rank of the last snapshot computed, if loads are events; null if they are
/// times.
const std::vector<double>* busy_of_ranks();
/// Returns what this PE alone knows of its own ranks, for a distributed strategy; the only data of ranks that
/// is sent are the numbers of those that must stay. Collective.
lb::LocalPe local_ranks();
/// Returns the ranks that the last snapshot, part or local_ranks() found pinned, ascending; the same on each
/// PE.
const std::vector<int>& pinned_ranks();

}  // namespace skein::move
