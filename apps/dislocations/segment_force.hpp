// SPDX-License-Identifier: Apache-2.0
// Forces of Peach and Koehler on the ends of a straight segment: (stress b) x t, weighted by 1 - u and u
// along it.
#pragma once

#include <cstdint>

#include "elasticity.hpp"

namespace dislocations {

struct EndForces {
  Vec3 first, second;

  EndForces& operator+=(const EndForces& b) {
    first += b.first, second += b.second;
    return *this;
  }
};

/// Returns the distance of a place from a segment.
double distance(const Vec3& at, const Straight& segment);

/// Returns the forces by a uniform stress along the segment.
EndForces force_by(const Stress& stress, const Straight& on);

/// Returns the forces by another segment, by Gauss's points on pieces of `on` that are no longer than their
/// distance from `by`, or than the core: where both meet in a node, pieces become shorter geometrically. `on`
/// and `by` may be the same segment. Adds the number of computed stresses to `evaluations`.
EndForces force_by(const Material& material, const Straight& by, const Straight& on,
                   std::uint64_t& evaluations);

}  // namespace dislocations
