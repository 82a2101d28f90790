// SPDX-License-Identifier: Apache-2.0
// Point sources: moment tensors released in time, injected into the stresses (Graves 1996).
#pragma once
#include "grid.h"
#include "tiles.h"

// Finds the cells of this rank that each source feeds.
void source_create(const Config* config, const Grid* grid);
void source_destroy(void);
// Adds the moment released in the step around `time` and wakes the tiles it falls in.
void source_inject(const Grid* grid, Tiles* tiles, double time);
