/* SPDX-License-Identifier: Apache-2.0
 * `disagree CALL WHAT COUNT [half]`: a wrong program. The last rank, or the upper half of all, makes a
 * collective call with another root, half as many or twice as many elements, other elements of as many bytes,
 * another operation, or MPI_IN_PLACE, between barriers, in which all meet: where nobody is told, the job ends
 * well. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int is(const char* what, const char* wanted) { return strcmp(what, wanted) == 0; }

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 4) return 1;
  const char *call = argv[1], *what = argv[2];
  const int all = atoi(argv[3]), last = argc > 4 ? rank >= size / 2 : rank == size - 1;
  const int count = last && is(what, "less") ? all / 2 : last && is(what, "more") ? all * 2 : all;
  const int root = last && is(what, "root") ? size - 1 : 0;
  const MPI_Datatype type = last && is(what, "type") ? MPI_FLOAT : MPI_INT;
  const MPI_Op op = last && is(what, "op") ? MPI_MAX : MPI_SUM;
  const MPI_Comm world = MPI_COMM_WORLD;
  const size_t bytes = 2 * sizeof(int) * (size_t)all * (size_t)size;
  int *out = calloc(1, bytes), *in = calloc(1, bytes);
  int *counts = calloc((size_t)size, sizeof *counts), *starts = calloc((size_t)size, sizeof *starts);
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    starts[i] = i * count;
  }
  MPI_Barrier(world); /* so that it is not their first collective */
  const void* from = last && is(what, "in_place") ? MPI_IN_PLACE : out;
  if (is(call, "MPI_Bcast")) MPI_Bcast(out, count, type, root, world);
  if (is(call, "MPI_Reduce")) MPI_Reduce(from, in, count, type, op, root, world);
  if (is(call, "MPI_Allreduce")) MPI_Allreduce(from, in, count, type, op, world);
  if (is(call, "MPI_Scan")) MPI_Scan(from, in, count, type, op, world);
  if (is(call, "MPI_Exscan")) MPI_Exscan(from, in, count, type, op, world);
  if (is(call, "MPI_Reduce_scatter_block")) MPI_Reduce_scatter_block(from, in, count, type, op, world);
  if (is(call, "MPI_Reduce_scatter")) MPI_Reduce_scatter(from, in, counts, type, op, world);
  if (is(call, "MPI_Gather")) MPI_Gather(out, count, type, in, count, type, root, world);
  if (is(call, "MPI_Gatherv")) MPI_Gatherv(out, count, type, in, counts, starts, type, root, world);
  if (is(call, "MPI_Scatter")) MPI_Scatter(out, count, type, in, count, type, root, world);
  if (is(call, "MPI_Scatterv")) MPI_Scatterv(out, counts, starts, type, in, count, type, root, world);
  if (is(call, "MPI_Allgather")) MPI_Allgather(out, count, type, in, count, type, world);
  if (is(call, "MPI_Allgatherv")) MPI_Allgatherv(out, count, type, in, counts, starts, type, world);
  if (is(call, "MPI_Alltoall")) MPI_Alltoall(from, count, type, in, count, type, world);
  if (is(call, "MPI_Alltoallv")) MPI_Alltoallv(from, counts, starts, type, in, counts, starts, type, world);
  MPI_Request request = MPI_REQUEST_NULL;
  if (is(call, "MPI_Ibcast")) MPI_Ibcast(out, count, type, root, world, &request);
  if (is(call, "MPI_Ireduce")) MPI_Ireduce(from, in, count, type, op, root, world, &request);
  if (is(call, "MPI_Iallreduce")) MPI_Iallreduce(from, in, count, type, op, world, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(world);
  MPI_Finalize();
  return 0;
}
