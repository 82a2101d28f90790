// SPDX-License-Identifier: Apache-2.0
#include "grid.h"

#include <stdio.h>
#include <stdlib.h>

void* allocate(size_t count, size_t size, const char* what) {
  void* memory = calloc(count > 0 ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "seismic: no memory for %s (%zu x %zu bytes); use more ranks or a smaller grid\n", what,
            count, size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}

void grid_create(Grid* grid, const Config* config, const int dims[2]) {
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  *grid = (Grid){.dims = {dims[0], dims[1]},
                 .global = {(int)config->nx, (int)config->ny, (int)config->nz},
                 .h = config->spacing,
                 .dt = config->step,
                 .floor = (float)config->floor,
                 .free_surface = config->free_surface != 0};
  if (dims[0] > 0 && dims[1] > 0 && dims[0] * dims[1] != ranks) {
    if (rank == 0) fprintf(stderr, "seismic: --dims %dx%d is not %d ranks\n", dims[0], dims[1], ranks);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Dims_create(ranks, 2, grid->dims);
  const int periods[2] = {0, 0};
  MPI_Cart_create(MPI_COMM_WORLD, 2, grid->dims, periods, 0, &grid->comm);
  MPI_Cart_coords(grid->comm, rank, 2, grid->coords);

  for (int axis = 0; axis < 2; ++axis) {
    const int cells = grid->global[axis], parts = grid->dims[axis], part = grid->coords[axis];
    if (cells / parts < 2 * GHOST) {
      if (rank == 0)
        fprintf(stderr,
                "seismic: %d cells along %c cannot be cut for %d ranks: a block needs %d; use fewer ranks\n",
                cells, "xy"[axis], parts, 2 * GHOST);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const int whole = cells / parts, rest = cells % parts;
    grid->origin[axis] = part * whole + (part < rest ? part : rest);
    grid->size[axis] = whole + (part < rest);
  }
  grid->size[2] = grid->global[2];

  grid->stride[2] = 1;
  grid->stride[1] = (grid->size[2] + 2 * GHOST + 3) / 4 * 4;
  grid->stride[0] = grid->stride[1] * (grid->size[1] + 2 * GHOST);
  // The odd 80 floats keep equal cells of different fields from falling in the same set of the cache.
  grid->field_stride =
      ((size_t)grid->stride[0] * (size_t)(grid->size[0] + 2 * GHOST) + 1023) / 1024 * 1024 + 80;
  grid->fields = allocate(grid->field_stride * FIELDS, sizeof(float), "the wave field");
  grid->materials = allocate(grid->field_stride * MATERIALS, sizeof(float), "the material");
}

void grid_destroy(Grid* grid) {
  free(grid->fields);
  free(grid->materials);
  MPI_Comm_free(&grid->comm);
}
