// SPDX-License-Identifier: Apache-2.0
// A rank's block cut in tiles, each asleep until the wave reaches it. Asleep means: all its fields are zero,
// and so is all that its stencils read, so that updating it would change nothing; skipping it is exact.
#pragma once
#include "attenuation.h"
#include "grid.h"

// The last tile along x and y is up to half as thick again, instead of leaving one of half the thickness or
// less: thin ones cost more than their share. So a tile at a face holds all the cells that a neighbour reads
// there.
enum { TILE_X = 8, TILE_Y = 8, TILE_Z = LONGEST_ROW };

typedef struct Tile {
  Box box;
  int awake;
  Attenuation attenuation;
} Tile;

typedef struct Tiles {
  int count[3];
  int total;
  Tile* tile;
  // For each face [axis][side] with a neighbour, a byte for each tile at it, in the order of tile_at_face():
  // 1 if the neighbour's tile on the other side is awake by its last message. Kept by the exchange.
  unsigned char* beyond[2][2];
  long long updates;  // cells of awake tiles updated so far
} Tiles;

// Cuts the block, after cpml_create. With `skip` 0 all tiles are awake from the start.
void tiles_create(Tiles* tiles, const Grid* grid, const Model* model, int skip);
void tiles_destroy(Tiles* tiles);
// Number the tiles along the face [axis][side]: along the other horizontal axis, then in depth, on both sides
// of a face alike.
int tiles_at_face(const Tiles* tiles, int axis);
const Tile* tile_at_face(const Tiles* tiles, int axis, int side, int n);
void tiles_wake_at(Tiles* tiles, int i, int j, int k);
// Wakes the tiles whose coming velocity update reads a nonzero stress (stress update: velocity). The ghost
// cells must be current.
void tiles_wake_for_velocity(Tiles* tiles, const Grid* grid);
void tiles_wake_for_stress(Tiles* tiles, const Grid* grid);
// Updates the awake tiles, with all boundaries, in one sweep: stencils of neighbouring tiles share what they
// read, and a separate sweep over those at the block's edge would read it from memory twice.
void tiles_update_velocity(Tiles* tiles, const Grid* grid);
void tiles_update_stress(Tiles* tiles, const Grid* grid);
