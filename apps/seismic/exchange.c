// SPDX-License-Identifier: Apache-2.0
#include "exchange.h"

#include <stdlib.h>
#include <string.h>

enum { SENT_FIELDS = 3, MOST_FACES = 4 };

// A field that is differentiated along the face's normal, and whether it lies half a cell up that axis.
typedef struct Sent {
  int field, half_up;
} Sent;
static const Sent sent[PHASES][2][SENT_FIELDS] = {  // [phase][axis]
    {{{VX, 1}, {VY, 0}, {VZ, 0}}, {{VX, 0}, {VY, 1}, {VZ, 0}}},
    {{{SXX, 0}, {SXY, 1}, {SXZ, 1}}, {{SXY, 1}, {SYY, 0}, {SYZ, 1}}}};

// A face of the block that has a neighbour. A message is `header` bytes, of which the first `tiles` say
// whether the tile is awake, then for each tile that is: the planes of the fields that are read, row by row.
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

// The planes of a tile inside the face that the neighbour reads, or (`outside`) those beyond the face that
// this block reads, which stand for the neighbour's. A derivative reaches two planes back and one ahead of a
// field that lies half a cell up the axis, and one back and two ahead of another.
static Box planes_of(const Face* f, const Tile* tile, const Sent* s, int outside) {
  Box box = tile->box;
  const int axis = f->axis, face = f->side ? box.hi[axis] : box.lo[axis];
  const int read_from_above = f->side != outside;
  const int planes = s->half_up == read_from_above ? 2 : 1;
  box.lo[axis] = read_from_above ? face - planes : face;
  box.hi[axis] = box.lo[axis] + planes;
  return box;
}

static float* pack(const Grid* g, const Face* f, const Tile* tile, const Sent* sent_field, float* out) {
  const Box box = planes_of(f, tile, sent_field, 0);
  const int n = box.hi[2] - box.lo[2];
  for (int i = box.lo[0]; i < box.hi[0]; ++i)
    for (int j = box.lo[1]; j < box.hi[1]; ++j, out += n)
      memcpy(out, field(g, sent_field->field) + cell(g, i, j, box.lo[2]), (size_t)n * sizeof(float));
  return out;
}

static const float* unpack(const Grid* g, const Face* f, const Tile* tile, const Sent* sent_field,
                           const float* in) {
  const Box box = planes_of(f, tile, sent_field, 1);
  const int n = box.hi[2] - box.lo[2];
  for (int i = box.lo[0]; i < box.hi[0]; ++i)
    for (int j = box.lo[1]; j < box.hi[1]; ++j, in += n)
      memcpy(field(g, sent_field->field) + cell(g, i, j, box.lo[2]), in, (size_t)n * sizeof(float));
  return in;
}

// Returns the bytes of the message.
static size_t pack_face(const Grid* g, const Tiles* t, const Face* f, Phase phase) {
  float* next = (float*)(f->out + f->header);
  for (int n = 0; n < f->tiles; ++n) {
    const Tile* tile = tile_at_face(t, f->axis, f->side, n);
    f->out[n] = tile->awake != 0;
    if (!tile->awake) continue;
    for (int s = 0; s < SENT_FIELDS; ++s) next = pack(g, f, tile, &sent[phase][f->axis][s], next);
  }
  return (size_t)((unsigned char*)next - f->out);
}

static void unpack_face(const Grid* g, Tiles* t, const Face* f, Phase phase) {
  const float* next = (const float*)(f->in + f->header);
  memcpy(t->beyond[f->axis][f->side], f->in, (size_t)f->tiles);
  for (int n = 0; n < f->tiles; ++n) {
    if (!f->in[n]) continue;
    const Tile* tile = tile_at_face(t, f->axis, f->side, n);
    for (int s = 0; s < SENT_FIELDS; ++s) next = unpack(g, f, tile, &sent[phase][f->axis][s], next);
  }
}

// A message to side s arrives at the neighbour's other side, 1 - s: its tag.
static void start(const Grid* g, const Tiles* t, Phase phase) {
  for (int n = 0; n < n_faces; ++n) {
    const Face* f = &faces[n];
    MPI_Irecv(f->in, (int)f->most_bytes, MPI_BYTE, f->neighbour, 2 * f->axis + f->side, g->comm,
              &requests[n]);
  }
  for (int n = 0; n < n_faces; ++n) {
    const Face* f = &faces[n];
    MPI_Isend(f->out, (int)pack_face(g, t, f, phase), MPI_BYTE, f->neighbour, 2 * f->axis + 1 - f->side,
              g->comm, &requests[n_faces + n]);
  }
}

void exchange(const Grid* g, Tiles* t, Phase phase) {
  start(g, t, phase);
  MPI_Status
      statuses[2 * MOST_FACES]; /* GCC takes one MPI's MPI_STATUSES_IGNORE for an array without elements */
  MPI_Waitall(2 * n_faces, requests, statuses);
  for (int n = 0; n < n_faces; ++n) unpack_face(g, t, &faces[n], phase);
}
