// SPDX-License-Identifier: Apache-2.0
// A time step of the Euler equations in the cells of a box: an unsplit Godunov scheme of second order. Slopes
// of density, velocity and pressure are those of fourth order, limited (Colella, SIAM J. Sci. Stat. Comput.
// 6, 1985), the states at faces are half a step ahead by the primitive equations along all axes (Hancock),
// and HLLC is between them.
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

/// Precondition: `around` has the box grown by ghost_cells; `ratio`, time step to side of a cell, is at most
/// 1 / fastest_wave(). Depends on nothing but these cells: cells come out the same whatever box they are part
/// of.
Step advanced(const Field& around, const Box& box, double ratio, double heat_ratio);

/// Where less is left of the energy than gas moves with, as in cold gas that falls fast, rounding or the
/// scheme have taken it: the cell gets a pressure of `coldest` times its density.
void keep_warm(Field& cells, double coldest, double heat_ratio);

/// Momentum and energy of gas that has been pulled: it gets no warmer.
void pull(State& state, int axis, double change_of_velocity);

/// The largest sum over axes of velocity and speed of sound.
double fastest_wave(const Field& cells, double heat_ratio);

/// The difference to take for the slope between one neighbour and the other: the mean one, at most twice the
/// smaller, 0 at extrema (van Leer's).
double limited(double below, double above);

}  // namespace samr
