// SPDX-License-Identifier: Apache-2.0
// Strategies on which others build, called with numbers: numbers passed as text would be rounded, and misread
// under a locale with a decimal comma. Each is defined beside its assign_...().
#pragma once
#include <cstdint>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Decides as refine does, with its key.
Assignment refine(const Snapshot& snapshot, double tolerance);

/// The keys of refine-comm.
struct RefineCommValues {
  double tolerance;
  std::int64_t sweeps;
  double horizon;  // ignored without sweeps
};
Assignment refine_comm(const Snapshot& snapshot, const RefineCommValues& values);

/// Decides as rcb does. The snapshot must have positions.
Assignment rcb(const Snapshot& snapshot);

}  // namespace skein::lb
