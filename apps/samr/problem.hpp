// SPDX-License-Identifier: Apache-2.0
// What is in the domain at the start, and what is around it. `level` says how large cells are.
#pragma once

#include "parameters.hpp"
#include "particles.hpp"

namespace samr {

/// Behind a shock of that Mach number, which runs into gas at rest of density and pressure 1: with the
/// velocity along x (Toro, section 3.1.3).
Gas behind_shock(double mach, double heat_ratio);

apps::Vec3 middle_of(const Parameters& parameters, int level, const Cell& cell);

/// Means over cells at time 0.
Field initial_cells(const Parameters& parameters, int level, const Box& box);

/// The particles that are in a box of level 0 at the start.
Particles initial_particles(const Parameters& parameters, const Box& box);

/// Fills what lies beyond the domain: walls reflect; around shockpool3d there is what would be there of the
/// shock.
void fill_beyond(const Parameters& parameters, int level, double time, Field& around);

}  // namespace samr
