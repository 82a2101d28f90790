// SPDX-License-Identifier: Apache-2.0
// Seismograms at stations and the map of peak ground velocity.
#pragma once
#include "grid.h"
#include "tiles.h"

void stations_create(const Config* config, const Grid* grid, int steps);
void stations_destroy(void);
// Records a step, when the velocities are complete.
void stations_record(const Grid* grid, const Tiles* tiles);
// Writes DIR/<station>.txt (by the rank that holds it) and DIR/pgv.pgm (by rank 0). Collective. Returns 0, or
// -1 on the ranks that could not write, after a message on standard error.
int stations_write(const Config* config, const Grid* grid, const char* directory);
