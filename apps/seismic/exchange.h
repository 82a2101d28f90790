// SPDX-License-Identifier: Apache-2.0
// Halo exchange with the four neighbours: of the three velocities after the velocity update, of the stresses
// that are differentiated along the face's normal after the stress update. One message per neighbour and
// phase.
#pragma once
#include "grid.h"

typedef enum Phase { VELOCITIES, STRESSES, PHASES } Phase;

void exchange_create(const Grid* grid);
void exchange_destroy(void);
// start: post the receives, before any cell of the phase is updated. send: once the cells at the block's
// edges are updated. finish: the ghost cells are current afterwards.
void exchange_start(const Grid* grid, Phase phase);
void exchange_send(const Grid* grid, Phase phase);
void exchange_finish(void);
