// SPDX-License-Identifier: Apache-2.0
// A time step of the Euler equations in the cells of a box: an unsplit Godunov scheme of second order. Slopes
// of density, velocity and pressure are of fourth order, limited (Colella, SIAM J. Sci. Stat. Comput. 6,
// 1985); the states at faces are half a step ahead by the primitive equations along all axes (Hancock); the
// fluxes between them are HLLC.
#pragma once

#include "field.hpp"

namespace samr {

/// Layers of cells around a box that a step reads.
inline constexpr int ghost_cells = 3;

struct Step {
  Field cells;
  std::array<Field, axes>
      fluxes;  ///< of each axis, through the lower faces of the cells; one cell longer along it
};

/// Returns the cells after a step. Precondition: `around` has the box grown by ghost_cells; `ratio`, time
/// step to side of a cell, is at most 1 / fastest_wave(). Depends only on these cells: a cell is the same in
/// whatever box it is computed.
Step advanced(const Field& around, const Box& box, double ratio, double heat_ratio);

/// Heats cells whose pressure is below `coldest` times their density, up to that pressure. In cold gas that
/// falls fast, rounding or the scheme may take away more than the internal energy.
void keep_warm(Field& cells, double coldest, double heat_ratio);

/// Changes momentum and energy of gas that is pulled, without heating it.
void pull(State& state, int axis, double change_of_velocity);

/// Returns the largest sum over axes of velocity and speed of sound.
double fastest_wave(const Field& cells, double heat_ratio);

/// Returns the limited slope between the differences to both neighbours: the mean, at most twice the smaller
/// one, 0 at extrema (van Leer).
double limited(double below, double above);

}  // namespace samr
