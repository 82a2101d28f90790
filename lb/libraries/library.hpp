// SPDX-License-Identifier: Apache-2.0
// The partitioning libraries that strategies use, as modules found at run time.
#pragma once
#include "lb/libraries/partitioner.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

// Whether this build has what the strategy needs, as far as can be told without loading a module.
bool was_built(const StrategyInfo& info);

// The module of a strategy that uses one; throws StrategyError with why_unavailable().
PartitionFunction load_partitioner(const StrategyInfo& info);

}  // namespace skein::lb
