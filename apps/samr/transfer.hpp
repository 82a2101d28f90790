// SPDX-License-Identifier: Apache-2.0
// Interpolates cells from the level below, and averages them back: sums of mass, momentum and energy stay the
// same.
#pragma once

#include "field.hpp"

namespace samr {

/// Returns the width of the layer around a box, in cells of the level below, that has everything from which
/// the box's ghost cells are interpolated: the ghost cells themselves, and a neighbour for slopes.
int nesting_cells();

/// Returns the cells of the level below from which fine cells are interpolated.
Box sources_of(const Box& fine, const Box& coarse_domain);

/// Interpolates linearly, with limited slopes; constant across the end of the domain, and where slopes would
/// make negative densities or pressures. Precondition: `coarse` has sources_of(fine).
Field interpolated(const Field& coarse, const Box& fine, const Box& coarse_domain, double heat_ratio);

/// Returns means of eight cells. Precondition: the field's box consists of whole coarse cells.
Field averaged(const Field& fine);

/// Interpolates in time, at that fraction of the way from `old` to `now`.
Field between(const Field& old, const Field& now, double fraction);

}  // namespace samr
