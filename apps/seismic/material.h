// SPDX-License-Identifier: Apache-2.0
// The rock of each place, and the moduli for the kernels.
#pragma once
#include "grid.h"

enum { MECHANISMS = 4 };  // standard linear solids per attenuating cell

// A rock as the solver sees it. `loss_p`, `loss_s` scale the mechanisms' weights; 0 without attenuation.
typedef struct Solid {
  double rho, lambda, mu;  // unrelaxed moduli, Pa
  double loss_p, loss_s;
} Solid;

// The common shape of the attenuation: relaxation frequencies (rad/s) and weights with sum_l of
// weight_l w w_l / (w^2 + w_l^2) close to 1 over the band, so that weights/Q give quality Q.
typedef struct Spectrum {
  double omega[MECHANISMS], weight[MECHANISMS];
} Spectrum;

typedef struct Model {
  Spectrum spectrum;
  Solid solids[MAX_LAYERS + MAX_BASINS];
  unsigned char* rock;  // of cell (i,j,k) of the block, one cell more on the high sides
  int size[3];
} Model;

void model_create(Model* model, const Config* config, const Grid* grid);
void model_destroy(Model* model);
// Returns the rock of a cell from 0 to size (inclusive) of the block.
const Solid* model_solid(const Model* model, int i, int j, int k);
// Fills grid->materials: arithmetic mean of the density (2 cells), harmonic mean of the shear modulus (4
// cells), after Moczo et al. 2002.
void material_fill(const Model* model, const Grid* grid);
