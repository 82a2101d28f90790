/* SPDX-License-Identifier: Apache-2.0
 * `disagree CALL WHAT COUNT [half]`: a wrong program. The last rank, or the upper half of all, makes another
 * collective call, or one with another root, half as many or twice as many elements, other elements of as
 * many bytes, another operation, or MPI_IN_PLACE, between barriers, in which all meet: where nobody is told,
 * the job ends well. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int is(const char* what, const char* wanted) { return strcmp(what, wanted) == 0; }

/* Returns another call of the same shape: both may send the same data between the same ranks. */
static const char* other_than(const char* call) {
  static const char* const pairs[][2] = {
      {"Bcast", "Scatter"},      {"Gather", "Gatherv"},     {"Scatter", "Scatterv"},
      {"Alltoall", "Allgather"}, {"Alltoallv", "Alltoall"}, {"Allgatherv", "Alltoallv"},
      {"Scan", "Exscan"},        {"Reduce", "Allreduce"},   {"Reduce_scatter_block", "Allreduce"},
      {"Gatherv", "Gather"},     {"Scatterv", "Scatter"},   {"Allgather", "Alltoall"},
      {"Exscan", "Scan"},        {"Allreduce", "Scan"},     {"Reduce_scatter", "Allreduce"},
      {"Alltoallw", "Alltoall"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    if (is(call, pairs[i][0])) return pairs[i][1];
  return call;
}

#define CALL_ON(comm, Name, name, ...)          \
  if (is(call, #Name)) {                        \
    if (later)                                  \
      MPI_I##name(__VA_ARGS__, comm, &request); \
    else                                        \
      MPI_##Name(__VA_ARGS__, comm);            \
  }
#define CALL(Name, name, ...) CALL_ON(world, Name, name, __VA_ARGS__)

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 4) return 1;
  const char *call = argv[1], *what = argv[2];
  const int later = call[0] == 'I'; /* nonblocking */
  call += later;
  const int all = atoi(argv[3]), last = argc > 4 ? rank >= size / 2 : rank == size - 1;
  const int count = last && is(what, "less") ? all / 2 : last && is(what, "more") ? all * 2 : all;
  const int root = last && is(what, "root") ? size - 1 : 0;
  const MPI_Datatype type = last && is(what, "type") ? MPI_FLOAT : MPI_INT;
  const MPI_Op op = last && is(what, "op") ? MPI_MAX : MPI_SUM;
  const MPI_Comm world = MPI_COMM_WORLD;
  const size_t bytes = 2 * sizeof(int) * (size_t)all * (size_t)size;
  int *out = calloc(1, bytes), *in = calloc(1, bytes);
  int *counts = calloc((size_t)size, sizeof *counts), *starts = calloc((size_t)size, sizeof *starts);
  int* places = calloc((size_t)size, sizeof *places); /* in bytes */
  MPI_Aint* far = calloc((size_t)size, sizeof *far);
  MPI_Datatype* types = calloc((size_t)size, sizeof *types);
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    starts[i] = i * count;
    places[i] = i * count * (int)sizeof(int);
    far[i] = places[i];
    types[i] = type;
  }
  const int round = 1; /* a ring, of which each has two neighbours */
  MPI_Comm ring;
  MPI_Cart_create(world, 1, &size, &round, 0, &ring);
  if (last && is(what, "call")) call = other_than(call);
  /* PEs share their memory for barriers from the first call on, or from the eighth. */
  for (int i = 0; i < 10; ++i) MPI_Barrier(world);
  const void* from = last && is(what, "in_place") ? MPI_IN_PLACE : out;
  MPI_Request request = MPI_REQUEST_NULL;
  CALL(Bcast, bcast, out, count, type, root)
  CALL(Reduce, reduce, from, in, count, type, op, root)
  CALL(Allreduce, allreduce, from, in, count, type, op)
  CALL(Scan, scan, from, in, count, type, op)
  CALL(Exscan, exscan, from, in, count, type, op)
  CALL(Reduce_scatter_block, reduce_scatter_block, from, in, count, type, op)
  CALL(Reduce_scatter, reduce_scatter, from, in, counts, type, op)
  CALL(Gather, gather, out, count, type, in, count, type, root)
  CALL(Gatherv, gatherv, out, count, type, in, counts, starts, type, root)
  CALL(Scatter, scatter, out, count, type, in, count, type, root)
  CALL(Scatterv, scatterv, out, counts, starts, type, in, count, type, root)
  CALL(Allgather, allgather, out, count, type, in, count, type)
  CALL(Allgatherv, allgatherv, out, count, type, in, counts, starts, type)
  CALL(Alltoall, alltoall, from, count, type, in, count, type)
  CALL(Alltoallv, alltoallv, from, counts, starts, type, in, counts, starts, type)
  CALL(Alltoallw, alltoallw, from, counts, places, types, in, counts, places, types)
  CALL_ON(ring, Neighbor_allgather, neighbor_allgather, out, count, type, in, count, type)
  CALL_ON(ring, Neighbor_allgatherv, neighbor_allgatherv, out, count, type, in, counts, starts, type)
  CALL_ON(ring, Neighbor_alltoall, neighbor_alltoall, out, count, type, in, count, type)
  CALL_ON(ring, Neighbor_alltoallv, neighbor_alltoallv, out, counts, starts, type, in, counts, starts, type)
  CALL_ON(ring, Neighbor_alltoallw, neighbor_alltoallw, out, counts, far, types, in, counts, far, types)
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(world);
  MPI_Finalize();
  return 0;
}
