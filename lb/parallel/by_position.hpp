// SPDX-License-Identifier: Apache-2.0
// Strategies by positions, decided by several processes with Zoltan.
#pragma once
#include "lb/libraries/partitioner.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::lb {

/// Collective. Flavour::boxes or curve. As solve_part().
Assignment partition_by_position(Flavour method, const SnapshotPart& part, std::uint64_t seed, Team& team);

}  // namespace skein::lb
