// SPDX-License-Identifier: Apache-2.0
#include "exchange.h"

#include <stdlib.h>
#include <string.h>

enum { SENT_FIELDS = 3, MOST_FACES = 4 };
static const int sent[PHASES][2][SENT_FIELDS] = {{{VX, VY, VZ}, {VX, VY, VZ}},  // [phase][axis]
                                                 {{SXX, SXY, SXZ}, {SXY, SYY, SYZ}}};

// A face of the block that has a neighbour. A message is `header` bytes, of which the first `tiles` say
// whether the tile is awake, then for each tile that is: GHOST planes of the fields, row by row.
typedef struct Face {
  int axis, side, neighbour;
  int tiles;
  size_t header, most_bytes;
  unsigned char *out, *in;
} Face;

static Face faces[MOST_FACES];
static int n_faces;
static unsigned char* memory;
static MPI_Request requests[2 * MOST_FACES];  // receives, then sends

static void place_buffers(void) {
  size_t total = 0;
  for (int f = 0; f < n_faces; ++f) total += 2 * faces[f].most_bytes;
  memory = allocate(total, 1, "the messages");
  unsigned char* next = memory;
  for (int f = 0; f < n_faces; ++f) {
    faces[f].out = next;
    faces[f].in = next + faces[f].most_bytes;
    next += 2 * faces[f].most_bytes;
  }
}

void exchange_create(const Grid* g, const Tiles* t) {
  n_faces = 0;
  for (int axis = 0; axis < 2; ++axis)
    for (int side = 0; side < 2; ++side) {
      if (!has_neighbour(g, axis, side)) continue;
      Face face = {.axis = axis, .side = side, .tiles = tiles_at_face(t, axis)};
      int ranks[2];
      MPI_Cart_shift(g->comm, axis, 1, &ranks[0], &ranks[1]);
      face.neighbour = ranks[side];
      face.header = ((size_t)face.tiles + 15) / 16 * 16;
      face.most_bytes =
          face.header + SENT_FIELDS * GHOST * (size_t)g->size[1 - axis] * (size_t)g->size[2] * sizeof(float);
      face.most_bytes = (face.most_bytes + 15) / 16 * 16;
      faces[n_faces++] = face;
    }
  place_buffers();
}

void exchange_destroy(void) { free(memory); }

// The GHOST planes of a tile inside the face, or those outside it, which stand for the neighbour's tile.
static Box planes_of(const Face* f, const Tile* tile, int outside) {
  Box box = tile->box;
  const int axis = f->axis, face = f->side ? box.hi[axis] : box.lo[axis];
  box.lo[axis] = f->side == outside ? face : face - GHOST;
  box.hi[axis] = box.lo[axis] + GHOST;
  return box;
}

static float* pack(const Grid* g, int which, const Box* box, float* out) {
  const int n = box->hi[2] - box->lo[2];
  for (int i = box->lo[0]; i < box->hi[0]; ++i)
    for (int j = box->lo[1]; j < box->hi[1]; ++j, out += n)
      memcpy(out, field(g, which) + cell(g, i, j, box->lo[2]), (size_t)n * sizeof(float));
  return out;
}

static const float* unpack(const Grid* g, int which, const Box* box, const float* in) {
  const int n = box->hi[2] - box->lo[2];
  for (int i = box->lo[0]; i < box->hi[0]; ++i)
    for (int j = box->lo[1]; j < box->hi[1]; ++j, in += n)
      memcpy(field(g, which) + cell(g, i, j, box->lo[2]), in, (size_t)n * sizeof(float));
  return in;
}

// Returns the bytes of the message.
static size_t pack_face(const Grid* g, const Tiles* t, const Face* f, Phase phase) {
  float* next = (float*)(f->out + f->header);
  for (int n = 0; n < f->tiles; ++n) {
    const Tile* tile = tile_at_face(t, f->axis, f->side, n);
    f->out[n] = tile->awake != 0;
    if (!tile->awake) continue;
    const Box box = planes_of(f, tile, 0);
    for (int s = 0; s < SENT_FIELDS; ++s) next = pack(g, sent[phase][f->axis][s], &box, next);
  }
  return (size_t)((unsigned char*)next - f->out);
}

static void unpack_face(const Grid* g, Tiles* t, const Face* f, Phase phase) {
  const float* next = (const float*)(f->in + f->header);
  memcpy(t->beyond[f->axis][f->side], f->in, (size_t)f->tiles);
  for (int n = 0; n < f->tiles; ++n) {
    if (!f->in[n]) continue;
    const Box box = planes_of(f, tile_at_face(t, f->axis, f->side, n), 1);
    for (int s = 0; s < SENT_FIELDS; ++s) next = unpack(g, sent[phase][f->axis][s], &box, next);
  }
}

void exchange_start(const Grid* g) {
  for (int n = 0; n < n_faces; ++n) {
    const Face* f = &faces[n];
    MPI_Irecv(f->in, (int)f->most_bytes, MPI_BYTE, f->neighbour, 2 * f->axis + f->side, g->comm,
              &requests[n]);
  }
}

// A message to side s arrives at the neighbour's other side, 1 - s: its tag.
void exchange_send(const Grid* g, const Tiles* t, Phase phase) {
  for (int n = 0; n < n_faces; ++n) {
    const Face* f = &faces[n];
    MPI_Isend(f->out, (int)pack_face(g, t, f, phase), MPI_BYTE, f->neighbour, 2 * f->axis + 1 - f->side,
              g->comm, &requests[n_faces + n]);
  }
}

void exchange_finish(const Grid* g, Tiles* t, Phase phase) {
  MPI_Status
      statuses[2 * MOST_FACES]; /* GCC takes one MPI's MPI_STATUSES_IGNORE for an array without elements */
  MPI_Waitall(2 * n_faces, requests, statuses);
  for (int n = 0; n < n_faces; ++n) unpack_face(g, t, &faces[n], phase);
}
