// SPDX-License-Identifier: Apache-2.0
// The boxes of levels after an adaptation, around flagged cells and properly nested.
#pragma once

#include "cluster.hpp"
#include "hierarchy.hpp"

namespace samr {

/// Flagged cells of a level.
struct Flagged {
  std::int32_t level = 0;
  Box cells;
};

/// Cuts the domain into boxes of about equal length, none longer than `greatest`: at least `count` boxes,
/// unless boxes that are not longer than `least` would have to be cut.
Boxes roots_of(const Box& domain, int least, int greatest, std::size_t count);

/// Returns the boxes of the levels base + 1 to finest, in that order, around flags of the levels base to
/// finest - 1. Levels up to `base` stay as they are; cells that cannot be nested in them are not refined.
std::vector<Boxes> regridded(const Hierarchy& hierarchy, int base, int finest,
                             const std::vector<Flagged>& flags, const Clustering& how);

}  // namespace samr
