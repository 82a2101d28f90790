// SPDX-License-Identifier: Apache-2.0
// Cells of one level from those of the next: sums of mass, momentum and energy stay the same.
#pragma once

#include "field.hpp"

namespace samr {

/// So many cells of a level around a box, counted in cells of that level, have what ghost cells of the box
/// one level up are interpolated from: the ghost cells themselves, and a neighbour for slopes.
int nesting_cells();

/// The cells of the level below that fine ones are interpolated from.
Box sources_of(const Box& fine, const Box& coarse_domain);

/// Linear, with limited slopes; constant across the end of the domain, and where slopes would make negative
/// densities or pressures. Precondition: `coarse` has sources_of(fine).
Field interpolated(const Field& coarse, const Box& fine, const Box& coarse_domain, double heat_ratio);

/// Means of eight. Precondition: the field's box is one of whole coarse cells.
Field averaged(const Field& fine);

/// Between two times, at that fraction of what is between them.
Field between(const Field& old, const Field& now, double fraction);

}  // namespace samr
