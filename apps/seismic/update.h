// SPDX-License-Identifier: Apache-2.0
// One elastic time step on a box of own cells: 4th order in space, 2nd in time, no boundaries.
// Velocity-stress equations: rho dv_i/dt = d_j s_ij;  ds_ij/dt = lambda d_ij div v + mu (d_i v_j + d_j v_i).
#pragma once
#include "grid.h"

void update_velocity(const Grid* grid, const Box* box);
void update_stress(const Grid* grid, const Box* box);
// Sets velocities below grid->floor to zero: so far below the rounding of the wave they carry no information,
// and zeros keep the quiet part of the world exactly quiet.
void silence_velocity(const Grid* grid, const Box* box);
