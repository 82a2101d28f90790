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
// To be called when all tiles have had the phase's update. The ghost cells and `beyond` of the tiles are
// current afterwards.
void exchange(const Grid* grid, Tiles* tiles, Phase phase);
