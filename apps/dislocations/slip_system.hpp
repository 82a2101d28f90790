// SPDX-License-Identifier: Apache-2.0
// The slip systems of face-centred cubic crystals: Burgers vectors <110>/2 of length 1 on planes {111}.
#pragma once

#include <array>
#include <cstdint>

#include "apps/common/vec3.hpp"

namespace dislocations {

struct SlipSystem {
  apps::Vec3 burgers, normal;  // unit vectors
};

inline constexpr std::int32_t slip_system_count = 12;

inline const SlipSystem& slip_system(std::int32_t which) {
  constexpr double n = 0.57735026918962576, b = 0.70710678118654757;
  static const std::array<SlipSystem, slip_system_count> systems{{
      {{0, b, -b}, {n, n, n}},
      {{b, 0, -b}, {n, n, n}},
      {{b, -b, 0}, {n, n, n}},
      {{0, b, -b}, {-n, n, n}},
      {{b, 0, b}, {-n, n, n}},
      {{b, b, 0}, {-n, n, n}},
      {{0, b, b}, {n, -n, n}},
      {{b, 0, -b}, {n, -n, n}},
      {{b, b, 0}, {n, -n, n}},
      {{0, b, b}, {n, n, -n}},
      {{b, 0, b}, {n, n, -n}},
      {{b, -b, 0}, {n, n, -n}},
  }};
  return systems[static_cast<std::size_t>(which)];
}

}  // namespace dislocations
