// SPDX-License-Identifier: Apache-2.0
// Boxes around flagged cells: M. Berger, I. Rigoutsos, "An algorithm for point clustering and grid
// generation", IEEE Trans. Syst. Man Cybern. 21, 1991. A box that is not full enough is cut at a hole of its
// signatures, else where they bend most, else in the middle of its longest axis.
#pragma once

#include "box.hpp"

namespace samr {

struct Clustering {
  double efficiency = 0.7;     ///< the least share of a box's cells that is flagged
  std::int32_t least = 2;      ///< the least cells along an axis that a cut leaves
  std::int32_t greatest = 16;  ///< the most cells along an axis of a box
};

/// Returns disjoint boxes that cover all flagged cells. Precondition: no cell is twice in `flagged`. A box
/// that cannot be cut may be less efficient.
Boxes clustered(std::vector<Cell> flagged, const Clustering& how);

}  // namespace samr
