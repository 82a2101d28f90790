// SPDX-License-Identifier: Apache-2.0
// The correction of a level's potential, on cells twice as wide, solved in one place by multigrid.
#pragma once

#include "potential.hpp"

namespace samr {

/// Returns the largest of the residuals.
double largest(const std::vector<Scalars>& residuals);

/// Returns the potential that cancels the residuals in their cells as far as two V-cycles can, 0 in all other
/// cells. The fields do not overlap. Precondition: at least one field; `domain` has the same cells, which are
/// `side` long.
Scalars correction(const std::vector<Scalars>& residuals, const Box& domain, double side);

}  // namespace samr
