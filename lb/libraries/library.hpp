// SPDX-License-Identifier: Apache-2.0
// The partitioning libraries that strategies use, as modules found at run time.
#pragma once
#include <mutex>

#include "lb/libraries/partitioner.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// Whether this build has what the strategy needs, as far as can be told without loading a module.
bool was_built(const StrategyInfo& info);

struct Partitioner {
  const char* name;  // of the library, for messages
  PartitionFunction partition;
  std::unique_lock<std::mutex> alone;  // one of all works at a time
};
/// The module of the library with that trait (uses_...); throws StrategyError with why_unavailable().
Partitioner load_partitioner(Trait library);

}  // namespace skein::lb
