// SPDX-License-Identifier: Apache-2.0
// Loads as one PE of a distributed strategy sees them.
#pragma once
#include <span>

#include "skein/lb/distributed.hpp"

namespace skein::lb {

/// The PE's finish time with these of the movable objects.
inline double finish_of(const LocalPe& local, std::span<const LocalObject> objects) {
  double load = 0;
  for (const LocalObject& object : objects) load += object.load;
  return local.fixed_s + load / local.speed;
}

}  // namespace skein::lb
