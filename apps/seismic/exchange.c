// SPDX-License-Identifier: Apache-2.0
#include "exchange.h"

static MPI_Datatype face_type[PHASES][2];  // [axis]: GHOST planes of the three fields of the phase
static int neighbour[2][2];                // [axis][side]
static MPI_Request requests[8];

void exchange_create(const Grid* g) {
  static const int sent[PHASES][2][3] = {{{VX, VY, VZ}, {VX, VY, VZ}}, {{SXX, SXY, SXZ}, {SXY, SYY, SYZ}}};
  for (int axis = 0; axis < 2; ++axis) {
    MPI_Cart_shift(g->comm, axis, 1, &neighbour[axis][0], &neighbour[axis][1]);
    MPI_Datatype planes;
    if (axis == 0)
      MPI_Type_vector(GHOST, (int)(g->size[1] * g->stride[1]), (int)g->stride[0], MPI_FLOAT, &planes);
    else
      MPI_Type_vector(g->size[0], (int)(GHOST * g->stride[1]), (int)g->stride[0], MPI_FLOAT, &planes);
    for (int phase = 0; phase < PHASES; ++phase) {
      MPI_Aint offsets[3];
      for (int f = 0; f < 3; ++f)
        offsets[f] = (MPI_Aint)((size_t)sent[phase][axis][f] * g->field_stride * sizeof(float));
      MPI_Type_create_hindexed_block(3, 1, offsets, planes, &face_type[phase][axis]);
      MPI_Type_commit(&face_type[phase][axis]);
    }
    MPI_Type_free(&planes);
  }
  for (int r = 0; r < 8; ++r) requests[r] = MPI_REQUEST_NULL;
}

void exchange_destroy(void) {
  for (int phase = 0; phase < PHASES; ++phase)
    for (int axis = 0; axis < 2; ++axis) MPI_Type_free(&face_type[phase][axis]);
}

// First of the planes, counted from the block's low face: -GHOST is ghost cells, 0 own cells.
static float* planes_at(const Grid* g, int axis, int plane) {
  // Without the ghosts of the other horizontal axis, which a receive may be filling while these are sent.
  return g->fields + (axis == 0 ? cell(g, plane, 0, -GHOST) : cell(g, 0, plane, -GHOST));
}

void exchange_start(const Grid* g, Phase phase) {
  for (int axis = 0; axis < 2; ++axis)
    for (int side = 0; side < 2; ++side)
      MPI_Irecv(planes_at(g, axis, side ? g->size[axis] : -GHOST), 1, face_type[phase][axis],
                neighbour[axis][side], 2 * axis + side, g->comm, &requests[2 * axis + side]);
}

// A message to side s arrives at the neighbour's other side, 1 - s: its tag.
void exchange_send(const Grid* g, Phase phase) {
  for (int axis = 0; axis < 2; ++axis)
    for (int side = 0; side < 2; ++side)
      MPI_Isend(planes_at(g, axis, side ? g->size[axis] - GHOST : 0), 1, face_type[phase][axis],
                neighbour[axis][side], 2 * axis + 1 - side, g->comm, &requests[4 + 2 * axis + side]);
}

void exchange_finish(void) {
  MPI_Status statuses[8]; /* GCC takes one MPI's MPI_STATUSES_IGNORE for an array without elements */
  MPI_Waitall(8, requests, statuses);
}
