// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "apps/common/vec3.hpp"

namespace moldyn {

using apps::Vec3;

struct Atom {
  std::uint64_t id = 0;
  Vec3 x, v;
};

}  // namespace moldyn
