// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "skein/lb/calibration.hpp"

namespace skein::tools {

/// How long each strategy of this build takes to decide, on meshes of three sizes, each time with other
/// things in the caches: the median of some tries. Those that cannot be used on them are left out. `auto` is
/// without what it tries.
std::vector<simulate::DecisionTime> time_decisions();

}  // namespace skein::tools
