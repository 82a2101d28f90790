// SPDX-License-Identifier: Apache-2.0
// types: data with gaps, one way between rank 0 and the last rank, as a ping-pong. Prints lines: the type,
// bytes of data, nanoseconds.
//
//   vector      doubles, every other one
//   rows        rows of 8 doubles of a matrix with 64 columns
//   face        a subarray: a plane of a box of doubles, 8 deep, that has no two elements side by side
//   block       a subarray: the inner half, in each direction, of a cube of doubles
#include "timing.h"

typedef struct {
  int rank, last;
  char* memory;
  MPI_Datatype type;
} Message;

static void there_and_back(void* with) {
  const Message* const m = with;
  const int other = m->rank == 0 ? m->last : 0;
  if (m->rank != 0 && m->rank != m->last) return;
  if (m->rank == 0) MPI_Send(m->memory, 1, m->type, other, 0, MPI_COMM_WORLD);
  MPI_Recv(m->memory, 1, m->type, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (m->rank != 0) MPI_Send(m->memory, 1, m->type, other, 0, MPI_COMM_WORLD);
}

static int cube_side(size_t elements, int (*held)(int)) {
  int side = 2;
  while ((size_t)held(side) < elements) ++side;
  return side;
}
static int in_face(int side) { return side * side; }
static int in_block(int side) { return (side / 2) * (side / 2) * (side / 2); }

static MPI_Datatype make_vector(size_t elements) {
  MPI_Datatype type;
  MPI_Type_vector((int)elements, 1, 2, MPI_DOUBLE, &type);
  return type;
}
static MPI_Datatype make_rows(size_t elements) {
  MPI_Datatype type;
  MPI_Type_vector((int)elements / 8, 8, 64, MPI_DOUBLE, &type);
  return type;
}
static MPI_Datatype make_face(size_t elements) {
  MPI_Datatype type;
  const int side = cube_side(elements, in_face);
  const int sizes[] = {side, side, 8}, parts[] = {side, side, 1}, starts[] = {0, 0, 3};
  MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
  return type;
}
static MPI_Datatype make_block(size_t elements) {
  MPI_Datatype type;
  const int side = cube_side(elements, in_block), half = side / 2, quarter = side / 4;
  const int sizes[] = {side, side, side}, parts[] = {half, half, half},
            starts[] = {quarter, quarter, quarter};
  MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
  return type;
}

static void measure(const char* name, MPI_Datatype (*make)(size_t), size_t bytes) {
  Message m;
  int ranks, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &m.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  m.last = ranks - 1;
  m.type = make(bytes / sizeof(double));
  MPI_Type_commit(&m.type);
  MPI_Aint low, extent;
  MPI_Type_get_extent(m.type, &low, &extent);
  MPI_Type_size(m.type, &size);
  m.memory = touched((size_t)extent);
  memset(m.memory, m.rank + 1, (size_t)extent);
  there_and_back(&m);
  print_row(name, bytes, seconds_each(there_and_back, &m, 0.02) / 2 * (double)bytes / size);
  MPI_Type_free(&m.type);
  free(m.memory);
}

int main(int argc, char** argv) {
  static const size_t sizes[] = {1024, 65536, 1048576};
  MPI_Init(&argc, &argv);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    measure("vector", make_vector, sizes[i]);
    measure("rows", make_rows, sizes[i]);
    measure("face", make_face, sizes[i]);
    measure("block", make_block, sizes[i]);
  }
  MPI_Finalize();
  return 0;
}
