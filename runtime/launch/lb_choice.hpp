// SPDX-License-Identifier: Apache-2.0
// What --lb names. Needs no MPI.
#pragma once

#include <optional>
#include <string>

#include "runtime/launch/options.hpp"
#include "skein/lb/auto.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::launch {

/// The strategy, or the options of --lb auto; neither where nothing is to be balanced.
struct LbChoice {
  std::optional<lb::AutoOptions> automatic;
  std::optional<lb::Selection> strategy;
};

/// Throws skein::Error for a strategy that does not exist.
LbChoice parse_lb(const RunOptions& run);

/// Why no two PEs can decide together in this job; empty if they can: by a parallel strategy, and nothing
/// that looks at all objects at once. Throws as parse_lb() does.
std::string why_no_team(const RunOptions& run);

}  // namespace skein::launch
