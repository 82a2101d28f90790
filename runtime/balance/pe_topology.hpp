// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "skein/lb/cost.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::balance {

/// The machine that the PEs of this job run on: nodes, and of each node what hwloc says holds the processors
/// that a PE is bound to (packages, NUMA domains, caches of level 3). Costs of levels are usual ones, not
/// measured. Collective over all PEs in the first call, which reads the machine; the same result on each.
const lb::Topology& pe_topology();
/// After other PEs compute than before. Collective.
void gather_topology_anew();

/// Collective over all PEs, before the first object runs; the same result on each: the slowest PE's. A few
/// milliseconds, in the first call. `moves_copy`: as in objects.hpp.
const lb::CostModel& pe_costs(bool moves_copy);

/// How many pages this process has met for the first time so far.
double met_pages();

}  // namespace skein::balance
