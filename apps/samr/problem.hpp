// SPDX-License-Identifier: Apache-2.0
// The gas and particles in the domain at the start, and the gas around it. `level` determines the size of
// cells.
#pragma once

#include "parameters.hpp"
#include "particles.hpp"

namespace samr {

/// Returns the gas behind a shock of that Mach number, which runs along x into gas at rest of density and
/// pressure 1 (Toro, section 3.1.3).
Gas behind_shock(double mach, double heat_ratio);

apps::Vec3 middle_of(const Parameters& parameters, int level, const Cell& cell);

/// Returns the means over cells at time 0.
Field initial_cells(const Parameters& parameters, int level, const Box& box);

/// Returns the particles that are in a box of level 0 at the start.
Particles initial_particles(const Parameters& parameters, const Box& box);

/// Fills the cells beyond the domain: walls reflect; around shockpool3d the shock continues.
void fill_beyond(const Parameters& parameters, int level, double time, Field& around);

}  // namespace samr
