// SPDX-License-Identifier: Apache-2.0
// The staggered grid of one rank: its block of the world, its fields and material, all in one allocation
// each.
//
// Cell (i,j,k) holds, at these places (in cells):
//   normal stresses (i, j, k)          vx (i+1/2, j, k)        vy (i, j+1/2, k)        vz (i, j, k+1/2)
//   sxy (i+1/2, j+1/2, k)              sxz (i+1/2, j, k+1/2)   syz (i, j+1/2, k+1/2)
// (Graves 1996, after Virieux 1986 and Levander 1988.) z is fastest in memory; GHOST cells lie around the
// block.
#pragma once
#include <mpi.h>
#include <stddef.h>

#include "config.h"

enum { GHOST = 2 };
enum { VX, VY, VZ, SXX, SXY, SXZ, SYY, SYZ, SZZ, FIELDS };
// Buoyancies at the velocities' places, moduli at the stresses' places, all times dt/h.
enum { BX, BY, BZ, LAMBDA, MU2, MU_XY, MU_XZ, MU_YZ, MATERIALS };

// 4th-order staggered first derivative: C1 (f[+1/2] - f[-1/2]) + C2 (f[+3/2] - f[-3/2]), over h.
#define C1 (9.0f / 8.0f)
#define C2 (-1.0f / 24.0f)

typedef struct Box {
  int lo[3], hi[3];  // own cells of the block, hi is exclusive
} Box;

typedef struct Grid {
  MPI_Comm comm;  // Cartesian, (x, y)
  int dims[2], coords[2];
  int global[3];        // cells of the world
  int origin[3];        // world index of own cell (0,0,0)
  int size[3];          // own cells
  ptrdiff_t stride[3];  // in floats; stride[2] == 1
  size_t field_stride;  // from a field to the next, in floats
  double h, dt;
  float floor;
  int free_surface;
  float* fields;
  float* materials;
} Grid;

static inline float* field(const Grid* g, int which) { return g->fields + (size_t)which * g->field_stride; }
static inline float* material(const Grid* g, int which) {
  return g->materials + (size_t)which * g->field_stride;
}
static inline ptrdiff_t cell(const Grid* g, int i, int j, int k) {
  return (i + GHOST) * g->stride[0] + (j + GHOST) * g->stride[1] + (k + GHOST);
}
// Returns 1 if another rank shares the face of the block along x or y, below (side 0) or above (side 1).
static inline int has_neighbour(const Grid* g, int axis, int side) {
  return side ? g->coords[axis] + 1 < g->dims[axis] : g->coords[axis] > 0;
}
static inline Box intersect(Box a, Box b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (b.lo[axis] > a.lo[axis]) a.lo[axis] = b.lo[axis];
    if (b.hi[axis] < a.hi[axis]) a.hi[axis] = b.hi[axis];
  }
  return a;
}
static inline int is_empty(Box b) { return b.lo[0] >= b.hi[0] || b.lo[1] >= b.hi[1] || b.lo[2] >= b.hi[2]; }

// Decomposes the world over the ranks of MPI_COMM_WORLD (dims 0: MPI chooses) and allocates zeroed fields.
// Collective. Ends the job with a message when a block would be too small or memory is short.
void grid_create(Grid* grid, const Config* config, const int dims[2]);
void grid_destroy(Grid* grid);

// calloc that ends the job with a message naming `what` instead of returning NULL.
void* allocate(size_t count, size_t size, const char* what);
