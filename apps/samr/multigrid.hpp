// SPDX-License-Identifier: Apache-2.0
// A correction of a level's potential, on cells twice as wide: solved in one place, by multigrid.
#pragma once

#include "potential.hpp"

namespace samr {

/// The largest of the residuals.
double largest(const std::vector<Scalars>& residuals);

/// What makes up for the residuals in their cells, 0 in all others, so far as two V-cycles bring it. The
/// fields do not overlap. Precondition: at least one; `domain` is of the same cells, which are `side` long.
Scalars correction(const std::vector<Scalars>& residuals, const Box& domain, double side);

}  // namespace samr
