// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/launch/options.hpp"

namespace skein::launch {

/// The PE of each rank at the start, as --map says. Throws skein::Error for a map file that cannot be read,
/// holds something else than numbers, too few of them, or PEs that do not exist; the message names the place.
std::vector<int> initial_placement(const RunOptions& run);

}  // namespace skein::launch
