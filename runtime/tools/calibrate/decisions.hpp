// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "skein/lb/calibration.hpp"

namespace skein::tools {

/// How long each strategy of this build takes to decide, on meshes of two sizes: the least of
/// some tries. Those that cannot be used on them are left out.
std::vector<simulate::DecisionTime> time_decisions();

}  // namespace skein::tools
