// SPDX-License-Identifier: Apache-2.0
// Loads strategies from shared libraries, as include/skein/lb/plugin.hpp describes them. A library stays
// loaded until the process ends. Safe from any thread.
#pragma once
#include <span>
#include <string>

#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// Returns the strategies of the library at `path` (without a slash: in the current folder), which it loads
/// at the first call. Throws StrategyError naming the library if it does not exist, is no plug-in, or is one
/// for another version.
std::span<const StrategyInfo> library_strategies(const std::string& path);

/// Throws StrategyError if the decision of a library's strategy does not fit this snapshot: not one existing
/// PE for each object, a pinned object elsewhere, or an invalid split.
void check_decision(const StrategyInfo& info, const Snapshot& snapshot, const Decision& decision);

}  // namespace skein::lb
