// SPDX-License-Identifier: Apache-2.0
#include "tiles.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cpml.h"
#include "surface.h"
#include "update.h"

static int smaller(int a, int b) { return a < b ? a : b; }

static Tile* tile_at(const Tiles* t, int a, int b, int c) {
  return &t->tile[(a * t->count[1] + b) * t->count[2] + c];
}

static const int edge[3] = {TILE_X, TILE_Y, TILE_Z};

static int tiles_along(int axis, int cells) {
  if (axis == 2) return (cells + edge[axis] - 1) / edge[axis];
  const int rounded = (cells + edge[axis] / 2 - 1) / edge[axis];
  return rounded > 0 ? rounded : 1;
}

int tiles_at_face(const Tiles* t, int axis) { return t->count[1 - axis] * t->count[2]; }

const Tile* tile_at_face(const Tiles* t, int axis, int side, int n) {
  int index[2];
  index[axis] = side ? t->count[axis] - 1 : 0;
  index[1 - axis] = n / t->count[2];
  return tile_at(t, index[0], index[1], n % t->count[2]);
}

static void beyond_create(Tiles* t, const Grid* g) {
  for (int axis = 0; axis < 2; ++axis)
    for (int side = 0; side < 2; ++side)
      if (has_neighbour(g, axis, side))
        t->beyond[axis][side] = allocate((size_t)tiles_at_face(t, axis), 1, "the tiles");
}

void tiles_create(Tiles* t, const Grid* g, const Model* model, int skip) {
  *t = (Tiles){.total = 1};
  for (int axis = 0; axis < 3; ++axis) {
    t->count[axis] = tiles_along(axis, g->size[axis]);
    t->total *= t->count[axis];
  }
  t->tile = allocate((size_t)t->total, sizeof *t->tile, "the tiles");
  Box* boxes = allocate((size_t)t->total, sizeof *boxes, "the tiles");
  for (int n = 0; n < t->total; ++n) {
    const int index[3] = {n / t->count[2] / t->count[1], n / t->count[2] % t->count[1], n % t->count[2]};
    Tile* tile = &t->tile[n];
    tile->awake = !skip;
    for (int axis = 0; axis < 3; ++axis) {
      tile->box.lo[axis] = index[axis] * edge[axis];
      tile->box.hi[axis] = index[axis] + 1 < t->count[axis] ? tile->box.lo[axis] + edge[axis] : g->size[axis];
    }
    boxes[n] = tile->box;
  }
  Attenuation* blocks = allocate((size_t)t->total, sizeof *blocks, "the tiles");
  attenuation_create(blocks, boxes, t->total, model, g);
  for (int n = 0; n < t->total; ++n) t->tile[n].attenuation = blocks[n];
  free(blocks);
  free(boxes);
  beyond_create(t, g);
}

void tiles_destroy(Tiles* t) {
  attenuation_destroy();
  for (int axis = 0; axis < 2; ++axis)
    for (int side = 0; side < 2; ++side) free(t->beyond[axis][side]);
  free(t->tile);
}

void tiles_wake_at(Tiles* t, int i, int j, int k) {
  tile_at(t, smaller(i / TILE_X, t->count[0] - 1), smaller(j / TILE_Y, t->count[1] - 1), k / TILE_Z)->awake =
      1;
}

static int is_nonzero(const Grid* g, int which, const Box* b) {
  uint32_t any = 0;
  for (int i = b->lo[0]; i < b->hi[0]; ++i)
    for (int j = b->lo[1]; j < b->hi[1]; ++j) {
      const float* f = field(g, which) + cell(g, i, j, b->lo[2]);
      for (int k = 0; k < b->hi[2] - b->lo[2]; ++k) {
        uint32_t bits;
        memcpy(&bits, &f[k], sizeof bits);
        any |= bits;
      }
    }
  return (any & 0x7fffffffu) != 0;  // either sign of zero is zero
}

// The fields that are differentiated along each axis.
static const int velocity_reads[3][3] = {{SXX, SXY, SXZ}, {SXY, SYY, SYZ}, {SXZ, SYZ, SZZ}};
static const int stress_reads[3][3] = {{VX, VY, VZ}, {VX, VY, VZ}, {VX, VY, VZ}};

// Stencils reach GHOST cells along the axes and nowhere else: only these six slabs around a sleeping tile
// matter.
static int is_reached(const Tiles* t, const Grid* g, const int index[3], const int reads[3][3]) {
  const Tile* tile = tile_at(t, index[0], index[1], index[2]);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      int neighbour[3] = {index[0], index[1], index[2]};
      neighbour[axis] += side ? 1 : -1;
      if (neighbour[axis] >= 0 && neighbour[axis] < t->count[axis]) {
        if (!tile_at(t, neighbour[0], neighbour[1], neighbour[2])->awake) continue;
      } else {
        if (axis == 2 || !t->beyond[axis][side]) continue;
        if (!t->beyond[axis][side][index[1 - axis] * t->count[2] + index[2]]) continue;
      }
      Box slab = tile->box;
      slab.lo[axis] = side ? tile->box.hi[axis] : tile->box.lo[axis] - GHOST;
      slab.hi[axis] = slab.lo[axis] + GHOST;
      for (int f = 0; f < 3; ++f)
        if (is_nonzero(g, reads[axis][f], &slab)) return 1;
    }
  return 0;
}

static void wake(Tiles* t, const Grid* g, const int reads[3][3]) {
  for (int a = 0; a < t->count[0]; ++a)
    for (int b = 0; b < t->count[1]; ++b)
      for (int c = 0; c < t->count[2]; ++c) {
        Tile* tile = tile_at(t, a, b, c);
        const int index[3] = {a, b, c};
        if (!tile->awake && is_reached(t, g, index, reads)) tile->awake = 1;
      }
}

void tiles_wake_for_velocity(Tiles* t, const Grid* g) { wake(t, g, velocity_reads); }
void tiles_wake_for_stress(Tiles* t, const Grid* g) { wake(t, g, stress_reads); }

static long long box_cells(const Box* b) {
  return (long long)(b->hi[0] - b->lo[0]) * (b->hi[1] - b->lo[1]) * (b->hi[2] - b->lo[2]);
}

void tiles_update_velocity(Tiles* t, const Grid* g) {
  for (int n = 0; n < t->total; ++n) {
    const Tile* tile = &t->tile[n];
    if (!tile->awake) continue;
    update_velocity(g, &tile->box);
    cpml_velocity(g, &tile->box);
    if (g->floor > 0) silence_velocity(g, &tile->box);
    surface_after_velocity(g, &tile->box);
  }
}

void tiles_update_stress(Tiles* t, const Grid* g) {
  for (int n = 0; n < t->total; ++n) {
    const Tile* tile = &t->tile[n];
    if (!tile->awake) continue;
    update_stress(g, &tile->box);
    cpml_stress(g, &tile->box);
    attenuation_stress(g, &tile->attenuation);
    surface_after_stress(g, &tile->box);
    t->updates += box_cells(&tile->box);
  }
}
