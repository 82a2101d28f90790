// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "apps/common/mixed.hpp"

namespace graph {

/// Returns a pseudo-random number in [0, 1), equal for equal arguments everywhere.
inline double hashed(std::uint64_t seed, std::uint64_t what) {
  return static_cast<double>(apps::mixed(apps::mixed(seed) + what) >> 11) * 0x1p-53;
}

}  // namespace graph
