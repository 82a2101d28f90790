// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "skein/lb/cost.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::balance {

/// Returns the machine that the PEs of this job run on: its nodes, and the parts of each node that, according
/// to hwloc, hold the processors a PE is bound to (packages, NUMA domains, caches of level 3). Costs of
/// levels are usual ones, not measured. The first call reads the machine and is collective over all PEs; the
/// result is the same on each.
const lb::Topology& pe_topology();
/// Gathers the topology again after the set of computing PEs has changed. Collective.
void gather_topology_anew();

/// Measures the costs of moves and messages, in the first call, in a few milliseconds. Collective over all
/// PEs, before the first object runs; the result is the same on each: the slowest PE's. `moves_copy`: as in
/// objects.hpp.
const lb::CostModel& pe_costs(bool moves_copy);

/// Returns how many pages this process has touched for the first time so far.
double met_pages();

}  // namespace skein::balance
