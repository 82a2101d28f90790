// SPDX-License-Identifier: Apache-2.0
// The gas at the start, and what is around it.
//
//   sod     Sod's shock tube along x (J. Comput. Phys. 27, 1978), with the jump in the middle
//   bubble  a shock of Mach 2.5 comes from the left and hits a round bubble that is five times as dense
//   blobs   round blobs of high pressure in the left third of a closed box: their blasts meet
#pragma once

#include "parameters.hpp"

namespace samr {

Gas initial_gas(const Parameters& parameters, double x, double y);

/// Cells have the mean of four points, so that a jump inside a cell is seen.
Patch initial_patch(const Parameters& parameters, const BlockIndex& block);

/// The ghost cells beyond the end of the domain.
Strip wall_strip(const Parameters& parameters, const Patch& patch, int side);

}  // namespace samr
