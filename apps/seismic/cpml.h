// SPDX-License-Identifier: Apache-2.0
// Absorbing boundaries: convolutional perfectly matched layers (Komatitsch & Martin 2007, with kappa = 1) at
// the sides, the bottom, and the top unless it is a free surface. In a layer a derivative d becomes d + psi
// with psi <- b psi + a d; the elastic kernels have added d, this module adds psi.
#pragma once
#include "grid.h"

// Allocates the memory variables of this rank. To be called once, before the first step.
void cpml_create(const Grid* grid, const Config* config);
void cpml_destroy(void);
// Add psi to a box. To be called after update_velocity (update_stress) of the same box.
void cpml_velocity(const Grid* grid, const Box* box);
void cpml_stress(const Grid* grid, const Box* box);

// For the attenuation, which needs the layers' derivatives too (Martin & Komatitsch 2009). cpml_touches
// returns 1 if a layer reaches into the box, else 0. cpml_add_psi, after cpml_stress of the box, adds psi of
// the derivative of velocity `component` along `axis` to derivative[0..n), for the cells (i, j, k..k+n).
int cpml_touches(const Box* box);
void cpml_add_psi(int axis, int component, int i, int j, int k, int n, float* derivative);
