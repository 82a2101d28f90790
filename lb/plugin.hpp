// SPDX-License-Identifier: Apache-2.0
// Strategies from shared libraries, as include/skein/lb/plugin.hpp describes them. A library stays loaded
// until the process ends. Safe from any thread.
#pragma once
#include <span>
#include <string>

#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// The strategies of the library at `path` (without a slash: in the current folder), loaded at the first
/// call. Throws StrategyError naming the library if there is none, it is no plug-in, or one for another
/// version.
std::span<const StrategyInfo> library_strategies(const std::string& path);

/// Throws StrategyError if what a library's strategy returned is no assignment of this snapshot: not one
/// existing PE for each object, a pinned object elsewhere, a split that is none.
void check_decision(const StrategyInfo& info, const Snapshot& snapshot, const Decision& decision);

}  // namespace skein::lb
