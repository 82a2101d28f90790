// SPDX-License-Identifier: Apache-2.0
// The partitioning libraries that strategies use, as modules found at run time.
#pragma once
#include <mutex>

#include "lb/libraries/partitioner.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// Returns true if this build has what the strategy needs, as far as can be told without loading a module.
bool was_built(const StrategyInfo& info);

struct Partitioner {
  const char* name;  // of the library, for messages
  PartitionFunction partition;
  std::unique_lock<std::mutex> alone;  // held while it exists: only one partitioner works at a time
};
/// Loads the module of the library with that trait (uses_...). Throws StrategyError with why_unavailable().
Partitioner load_partitioner(Trait library);

}  // namespace skein::lb
