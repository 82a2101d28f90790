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

/* MPI 4.1, 6.13: persistent collectives are matched by the order of the calls that make them; starts may come
 * in another order on every rank, with other collectives between. The rank's own order: k -> (k * 5 + rank)
 * mod 8, which takes every value once, since 5 and 8 have no common divisor. */
static void started_in_any_order(MPI_Comm comm) {
  enum { kept = 8, starts = 3 };
  int rank, n, x[kept], sum[kept];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  MPI_Request requests[kept];
  for (int k = 0; k < kept; ++k)
    if (k % 2)
      MPI_Allreduce_init(&x[k], &sum[k], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[k]);
    else
      MPI_Bcast_init(&x[k], 1, MPI_INT, k % n, comm, MPI_INFO_NULL, &requests[k]);
  for (int start = 0; start < starts; ++start) {
    int others = 1, all = 0;
    MPI_Request other;
    for (int k = 0; k < kept; ++k) {
      x[k] = 100 * start + 10 * k + rank;
      sum[k] = -1;
    }
    for (int k = 0; k < kept; ++k) {
      MPI_Start(&requests[(k * 5 + rank) % kept]);
      if (k == 4) MPI_Iallreduce(&others, &all, 1, MPI_INT, MPI_SUM, comm, &other);
    }
    MPI_Waitall(kept, requests, MPI_STATUSES_IGNORE);
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    CHECK(all == n, "the collective between the starts: %d", all);
    for (int k = 0; k < kept; ++k) {
      if (k % 2)
        CHECK(sum[k] == n * (100 * start + 10 * k) + n * (n - 1) / 2, "start %d of sum %d: %d", start, k,
              sum[k]);
      else
        CHECK(x[k] == 100 * start + 10 * k + k % n, "start %d of bcast %d: %d", start, k, x[k]);
    }
  }
  for (int k = 0; k < kept; ++k) MPI_Request_free(&requests[k]);
}

/* Communicators that are made at the same time keep their messages apart: each is given another number, sent
 * round in the opposite order of how it is received. */
static void made_at_once(MPI_Comm comm) {
  enum { parents = 2, each = 3, made = parents * each };
  int rank, n, got[made];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  MPI_Comm parent[parents], copy[made];
  MPI_Request requests[made];
  for (int p = 0; p < parents; ++p) MPI_Comm_dup(comm, &parent[p]);
  /* Calls on one communicator come in one order on all ranks; those on different ones need not. */
  for (int k = 0; k < made; ++k) {
    const int p = (k + rank) % parents, at = p * each + k / parents;
    MPI_Comm_idup(parent[p], &copy[at], &requests[at]);
  }
  MPI_Waitall(made, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < made; ++k) MPI_Irecv(&got[k], 1, MPI_INT, (rank + n - 1) % n, 0, copy[k], &requests[k]);
  for (int k = made - 1; k >= 0; --k) MPI_Send(&k, 1, MPI_INT, (rank + 1) % n, 0, copy[k]);
  MPI_Waitall(made, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < made; ++k) CHECK(got[k] == k, "communicator %d got %d", k, got[k]);
  for (int k = 0; k < made; ++k) MPI_Comm_free(&copy[k]);
  for (int p = 0; p < parents; ++p) MPI_Comm_free(&parent[p]);
}

static void test(MPI_Comm comm) {
  started_in_any_order(comm);
  made_at_once(comm);
  at_once(comm);
  again(comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for_each_comm(test);
  return finish("overlap");
}
