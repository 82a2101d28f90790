/* SPDX-License-Identifier: Apache-2.0
 * Many nonblocking collectives under way at once, completed in another order than started; persistent ones
 * started again; types and operations freed while they are in use. */
#include "check.h"

enum { many = 12, length = 700 };

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void at_once(MPI_Comm comm) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  static int data[many][length], sums[many][length];
  MPI_Request requests[2 * many + 1];
  for (int k = 0; k < many; ++k) {
    MPI_Op op;
    MPI_Datatype type;
    MPI_Op_create(add, 1, &op);
    MPI_Type_contiguous(length, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < length; ++i) data[k][i] = rank == k % n ? k * length + i : -1;
    MPI_Ibcast(data[k], 1, type, k % n, comm, &requests[2 * k]);
    for (int i = 0; i < length; ++i) sums[k][i] = rank + k + i;
    MPI_Iallreduce(MPI_IN_PLACE, sums[k], length, MPI_INT, op, comm, &requests[2 * k + 1]);
    MPI_Type_free(&type);
    MPI_Op_free(&op);
  }
  MPI_Ibarrier(comm, &requests[2 * many]);
  int world;
  MPI_Comm_compare(comm, MPI_COMM_WORLD, &world);
  if (world == MPI_IDENT) MPI_Barrier(MPI_COMM_WORLD); /* with --sync-at MPI_Barrier the ranks move here */
  for (int k = 2 * many; k >= 0; --k) MPI_Wait(&requests[(k * 7) % (2 * many + 1)], MPI_STATUS_IGNORE);
  for (int k = 0; k < many; ++k)
    for (int i = 0; i < length; ++i) {
      CHECK(data[k][i] == k * length + i, "bcast %d, element %d: %d", k, i, data[k][i]);
      CHECK(sums[k][i] == n * (n - 1) / 2 + n * (k + i), "sum %d, element %d: %d", k, i, sums[k][i]);
    }
}

static void again(MPI_Comm comm) {
  int rank, n, x = 0, sum = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  MPI_Request request;
  MPI_Allreduce_init(&x, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
  for (int k = 0; k < 20; ++k) {
    x = rank * k + 1;
    MPI_Start(&request);
    int done = 0;
    while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    CHECK(sum == k * n * (n - 1) / 2 + n, "start %d: %d", k, sum);
  }
  MPI_Request_free(&request);
}

static void test(MPI_Comm comm) {
  at_once(comm);
  again(comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for_each_comm(test);
  return finish("overlap");
}
