// SPDX-License-Identifier: Apache-2.0
// Boxes around flagged cells: M. Berger, I. Rigoutsos, "An algorithm for point clustering and grid
// generation", IEEE Trans. Syst. Man Cybern. 21, 1991. A box that is not full enough is cut at a hole of its
// signatures, else where they bend most, else in the middle of its longest axis.
#pragma once

#include "box.hpp"

namespace samr {

struct Clustering {
  double efficiency = 0.7;     ///< that share of a box's cells is flagged, at least
  std::int32_t least = 2;      ///< cells along an axis that a cut leaves, at least
  std::int32_t greatest = 16;  ///< along an axis of a box, at most
};

/// Disjoint boxes that cover all flagged cells, each of which is named once. A box that no cut is possible of
/// may be less efficient.
Boxes clustered(std::vector<Cell> flagged, const Clustering& how);

}  // namespace samr
