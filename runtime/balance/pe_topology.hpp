// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "skein/lb/snapshot.hpp"

namespace skein::balance {

/// The machine that the PEs of this job run on: nodes, and of each node what hwloc says holds the processors
/// that a PE is bound to (packages, NUMA domains, caches of level 3). Costs of levels are usual ones, not
/// measured. Collective over all PEs in the first call, which reads the machine; the same result on each.
const lb::Topology& pe_topology();
/// After other PEs compute than before. Collective.
void gather_topology_anew();

}  // namespace skein::balance
