// SPDX-License-Identifier: Apache-2.0
// Halo exchange with the four neighbours: after the velocity update of the three velocities, after the stress
// update of the stresses that are differentiated along the face's normal. A message for each neighbour and
// phase tells which tiles at the face are awake, and carries only the cells of these: in all others, and in
// their ghost cells, they are zero.
#pragma once
#include "grid.h"
#include "tiles.h"

typedef enum Phase { VELOCITIES, STRESSES, PHASES } Phase;

// Prepares the messages. To be called after tiles_create.
void exchange_create(const Grid* grid, const Tiles* tiles);
void exchange_destroy(void);
// Exchanges halos, when all tiles have had the phase's update. Afterwards the ghost cells and `beyond` of the
// tiles are current.
void exchange(const Grid* grid, Tiles* tiles, Phase phase);
