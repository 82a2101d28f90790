/* SPDX-License-Identifier: Apache-2.0
 * Blocking collectives on several communicators whose members share PEs, at the same time and with the same
 * communicator ids; buffers on the stack, in the heap and among thread-local variables; short, empty and
 * long. Each result is compared with a formula. */
#include "check.h"

enum { longest = 9000 };

static __thread long tls_in, tls_out;
static double *in, *out;

static long sum_below(long n) { return n * (n - 1) / 2; }

static void vectors(MPI_Comm comm, int count, int root) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const double all = (double)sum_below(size);
  for (int i = 0; i < count; ++i) in[i] = rank + i, out[i] = -1;
  MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) CHECK(out[i] == all + (double)i * size, "allreduce[%d] %g", i, out[i]);
  MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_DOUBLE, MPI_MAX, comm);
  for (int i = 0; i < count; ++i) CHECK(in[i] == size - 1 + i, "in place[%d] %g", i, in[i]);
  for (int i = 0; i < count; ++i) in[i] = rank + i, out[i] = -1;
  MPI_Reduce(rank == root ? MPI_IN_PLACE : in, rank == root ? in : NULL, count, MPI_DOUBLE, MPI_SUM, root,
             comm);
  for (int i = 0; rank == root && i < count; ++i)
    CHECK(in[i] == all + (double)i * size, "reduce[%d] %g", i, in[i]);
  for (int i = 0; i < count; ++i) out[i] = rank == root ? 3 * i + root : -1;
  MPI_Bcast(out, count, MPI_DOUBLE, root, comm);
  for (int i = 0; i < count; ++i) CHECK(out[i] == 3 * i + root, "bcast[%d] %g", i, out[i]);
}

static void strided(MPI_Comm comm, int root) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  MPI_Datatype column;
  MPI_Type_vector(5, 1, 3, MPI_INT, &column);
  MPI_Type_commit(&column);
  int data[15];
  for (int i = 0; i < 15; ++i) data[i] = rank == root ? i : -1;
  if (rank % 2) {
    int packed[5] = {-1, -1, -1, -1, -1};
    if (rank == root)
      for (int i = 0; i < 5; ++i) packed[i] = 3 * i;
    MPI_Bcast(packed, 5, MPI_INT, root, comm);
    for (int i = 0; i < 5; ++i) CHECK(packed[i] == 3 * i, "packed[%d] %d", i, packed[i]);
  } else {
    MPI_Bcast(data, 1, column, root, comm);
    for (int i = 0; i < 5; ++i) CHECK(data[3 * i] == 3 * i, "strided[%d] %d", i, data[3 * i]);
  }
  MPI_Type_free(&column);
}

static void thread_local_buffers(MPI_Comm comm, int root) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  tls_in = rank + 1, tls_out = -1;
  MPI_Allreduce(&tls_in, &tls_out, 1, MPI_LONG, MPI_SUM, comm);
  CHECK(tls_out == sum_below(size + 1), "sum %ld", tls_out);
  tls_in = rank == root ? 1000 + root : -1;
  MPI_Bcast(&tls_in, 1, MPI_LONG, root, comm);
  CHECK(tls_in == 1000 + root, "broadcast %ld", tls_in);
}

static void largest_with_place(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  struct {
    double value;
    int place;
  } mine = {(rank * 7) % size == 0 ? 1 : 0, rank}, best;
  MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  CHECK(best.value == 1 && best.place == 0, "largest %g at %d", best.value, best.place);
}

static void all(MPI_Comm comm) {
  static const int counts[] = {0, 1, 700, 3000, longest};
  int size;
  MPI_Comm_size(comm, &size);
  for (int root = 0; root < size; ++root) {
    for (int i = 0; i < 5; ++i)
      if (root == 0 || root == size - 1) vectors(comm, counts[i], root);
    strided(comm, root);
    thread_local_buffers(comm, root);
  }
  largest_with_place(comm);
  MPI_Barrier(comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  in = malloc(longest * sizeof *in);
  out = malloc(longest * sizeof *out);
  all(MPI_COMM_WORLD);
  for (int parts = 1; parts <= size; ++parts) {
    /* First neighbours share a group, then ranks apart; the groups of a split are disjoint and have the
     * same id. */
    for (int apart = 0; apart < 2; ++apart) {
      MPI_Comm comm;
      MPI_Comm_split(MPI_COMM_WORLD, apart ? rank % parts : rank * parts / size, -rank, &comm);
      MPI_Request other;
      MPI_Ibarrier(comm, &other);
      all(comm);
      MPI_Wait(&other, MPI_STATUS_IGNORE);
      MPI_Comm_free(&comm);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  free(in);
  free(out);
  return finish("local");
}
