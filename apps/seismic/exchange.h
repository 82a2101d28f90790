// SPDX-License-Identifier: Apache-2.0
// Halo exchange with the four neighbours: of the three velocities after the velocity update, of the stresses
// that are differentiated along the face's normal after the stress update. One message per neighbour and
// phase. It says which tiles at the face are awake and carries the cells of these alone: in all others they
// are zero, as the ghost cells are that stand for them.
#pragma once
#include "grid.h"
#include "tiles.h"

typedef enum Phase { VELOCITIES, STRESSES, PHASES } Phase;

// After tiles_create.
void exchange_create(const Grid* grid, const Tiles* tiles);
void exchange_destroy(void);
// start: post the receives, before any cell of the phase is updated. send: once the cells at the block's
// edges are updated. finish: the ghost cells and `beyond` of the tiles are current afterwards.
void exchange_start(const Grid* grid);
void exchange_send(const Grid* grid, const Tiles* tiles, Phase phase);
void exchange_finish(const Grid* grid, Tiles* tiles, Phase phase);
