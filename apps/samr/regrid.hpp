// SPDX-License-Identifier: Apache-2.0
// The boxes of levels after an adaptation: around flagged cells, and properly nested.
#pragma once

#include "cluster.hpp"
#include "hierarchy.hpp"

namespace samr {

/// Flagged cells of a level.
struct Flagged {
  std::int32_t level = 0;
  Box cells;
};

/// The domain, cut into boxes about as long as each other, of which none is longer than `greatest`: at least
/// so many, if none has to be cut that is not longer than `least`.
Boxes roots_of(const Box& domain, int least, int greatest, std::size_t count);

/// Boxes of the levels base + 1 to finest, in that order, around flags of the levels base to finest - 1.
/// Levels up to `base` stay as they are, and what cannot be nested in them is not refined.
std::vector<Boxes> regridded(const Hierarchy& hierarchy, int base, int finest,
                             const std::vector<Flagged>& flags, const Clustering& how);

}  // namespace samr
