// SPDX-License-Identifier: Apache-2.0
// The potential of gravity in the cells of a level: Poisson's equation with seven points. Its boundary is the
// cells of the level below, from which it is interpolated, and where it is kept fixed; at the domain's walls
// nothing pulls.
#pragma once

#include "field.hpp"

namespace samr {

/// The source in a cell, 4 pi G times the density above the mean, and the potential.
struct Pull {
  double source = 0, potential = 0;
};

using Pulls = FieldOf<Pull>;
using Scalars = FieldOf<double>;

/// Interpolates the potential, quadratically along each axis. Precondition: `coarse` has sources_of(fine).
void interpolate(const Pulls& coarse, const Box& coarse_domain, const Box& fine, Pulls& into);
/// Adds a correction, interpolated linearly; nothing beyond its box.
void add_interpolated(const Scalars& coarse, const Box& coarse_domain, const Box& fine, Pulls& into);

/// Makes a Gauss-Seidel sweep over the cells of one colour (0 or 1) that are in one of `level`, and in `box`.
/// Precondition: `pulls` has the box grown by one.
void relax(Pulls& pulls, const Box& box, const Boxes& level, const Box& domain, double side, int colour);

/// Returns the residual, as means over eight cells.
Scalars coarse_residual(const Pulls& pulls, const Box& box, const Box& domain, double side);

/// Returns minus the slope of the potential along the axis. Precondition: `pulls` has the cells on both
/// sides, or they are beyond the domain.
double pull_along(const Pulls& pulls, const Box& domain, const Cell& cell, int axis, double side);

}  // namespace samr
