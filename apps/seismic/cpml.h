// SPDX-License-Identifier: Apache-2.0
// Absorbing boundaries: convolutional perfectly matched layers (Komatitsch & Martin 2007, with kappa = 1) at
// the sides, the bottom, and the top unless it is a free surface. In a layer a derivative d becomes d + psi
// with psi <- b psi + a d; the elastic kernels have added d, this module adds psi.
#pragma once
#include "grid.h"

// Allocates the memory variables of this rank. To be called once, before the first step.
void cpml_create(const Grid* grid, const Config* config);
void cpml_destroy(void);
// After update_velocity (update_stress) of the same box.
void cpml_velocity(const Grid* grid, const Box* box);
void cpml_stress(const Grid* grid, const Box* box);
