// SPDX-License-Identifier: Apache-2.0
// Anelastic rock: per cell MECHANISMS standard linear solids for each of the six stresses (Emmerich & Korn
// 1987; the memory variables are of strain rate, after Kristek & Moczo 2003). With e a strain rate and zeta_l
// of each,
//   d zeta_l/dt + w_l zeta_l = w_l e,   d s/dt = elastic - sum_l weight_l (loss M) zeta_l,
// stepped by the trapezoidal rule. Costs about twice the elastic update of the same cell, on top of it.
#pragma once
#include "grid.h"
#include "material.h"

enum { LONGEST_ROW = 32 };  // boxes may not be deeper in z

typedef struct Attenuation {
  Box box;        // the cells of the block
  float* memory;  // NULL: no cell in the box attenuates
  int in_layer;   // an absorbing layer reaches into it
} Attenuation;

// Allocates memory for those of the n boxes that hold attenuating cells. To be called after cpml_create.
void attenuation_create(Attenuation* blocks, const Box* boxes, int n, const Model* model, const Grid* grid);
void attenuation_destroy(void);
// Adds the attenuation of a block. To be called after update_stress and cpml_stress of the same box.
void attenuation_stress(const Grid* grid, const Attenuation* block);
