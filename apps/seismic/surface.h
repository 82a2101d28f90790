// SPDX-License-Identifier: Apache-2.0
// The free surface at k = 0 by stress imaging (Levander 1988, Graves 1996): the planes above it are filled so
// that the ordinary kernels give the surface's conditions. Does nothing when the top absorbs.
#pragma once
#include "grid.h"

// Fill the planes above a box that starts at k = 0, when its velocities (stresses) are complete.
void surface_after_velocity(const Grid* grid, const Box* box);
void surface_after_stress(const Grid* grid, const Box* box);
