// SPDX-License-Identifier: Apache-2.0
// Strategies on which others build, called with values: numbers that went through text on their way would be
// rounded, and misread under a locale with a decimal comma. Each is defined beside its assign_...().
#pragma once
#include <cstdint>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// With refine's key.
Assignment refine(const Snapshot& snapshot, double tolerance);

/// With refine-comm's keys.
struct RefineCommValues {
  double tolerance;
  std::int64_t sweeps;
  double horizon;  // without sweeps, of no account
};
Assignment refine_comm(const Snapshot& snapshot, const RefineCommValues& values);

/// The snapshot must have positions.
Assignment rcb(const Snapshot& snapshot);

}  // namespace skein::lb
