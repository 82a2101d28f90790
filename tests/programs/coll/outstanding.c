/* SPDX-License-Identifier: Apache-2.0
 * Hundreds of nonblocking collectives of all kinds under way at once, while ranks move: each call's values
 * come from a formula of its own number, so that none may get what is another's. They are waited for in
 * another order than started, by Waitall, Waitsome and Test. Counts, displacements and types are other ones
 * right after the call, as with mpi4py, which gives its arrays back then. */
#include "check.h"

enum { each = 30, most_ranks = 16, kinds = 12, rounds = 3 };

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

/* Returns the value that rank r gives to rank `to`, or to all, in call k. */
static int given(int k, int r, int to) { return 1000 * k + 20 * r + to; }

struct Call {
  int out[most_ranks], in[most_ranks];
  MPI_Comm copy;
};

static int sums_up_to(int k, int last, int to) {
  int sum = 0;
  for (int r = 0; r <= last; ++r) sum += given(k, r, to);
  return sum;
}

struct World {
  int rank, size;
  MPI_Comm ring;
  MPI_Op op;
};

/* The arrays of one call. */
struct Arrays {
  int counts[most_ranks], places[most_ranks], bytes[most_ranks];
  MPI_Aint far[2];
  MPI_Datatype types[most_ranks];
};
static void fill(struct Arrays* arrays, int size) {
  for (int i = 0; i < size; ++i) {
    arrays->counts[i] = 1;
    arrays->places[i] = i;
    arrays->bytes[i] = i * (int)sizeof(int);
    arrays->types[i] = MPI_INT;
  }
  for (int i = 0; i < 2; ++i) arrays->far[i] = i * (MPI_Aint)sizeof(int);
}
static void spoil(struct Arrays* arrays, int size) {
  memset(arrays, 0x5a, sizeof *arrays);
  for (int i = 0; i < size; ++i) arrays->types[i] = MPI_DATATYPE_NULL;
}

static void start(const struct World* world, int k, struct Call* call, MPI_Request* request) {
  for (int i = 0; i < world->size; ++i) {
    call->out[i] = given(k, world->rank, i);
    call->in[i] = -1;
  }
  const MPI_Comm comm = MPI_COMM_WORLD;
  const int size = world->size, root = k % size;
  static struct Arrays arrays;
  int *const counts = arrays.counts, *const places = arrays.places;
  fill(&arrays, size);
  switch (k % kinds) {
    case 0:
      MPI_Ialltoall(call->out, 1, MPI_INT, call->in, 1, MPI_INT, comm, request);
      break;
    case 1:
      MPI_Iscan(call->out, call->in, 1, MPI_INT, MPI_SUM, comm, request);
      break;
    case 2:
      MPI_Iallreduce(call->out, call->in, world->size, MPI_INT, world->op, comm, request);
      break;
    case 3:
      MPI_Ialltoallw(call->out, counts, arrays.bytes, arrays.types, call->in, counts, arrays.bytes,
                     arrays.types, comm, request);
      break;
    case 4:
      MPI_Ineighbor_alltoall(call->out, 1, MPI_INT, call->in, 1, MPI_INT, world->ring, request);
      break;
    case 5:
      MPI_Ireduce_scatter(call->out, call->in, counts, MPI_INT, MPI_SUM, comm, request);
      break;
    case 6:
      MPI_Comm_idup(comm, &call->copy, request);
      break;
    case 7:
      MPI_Igatherv(call->out, 1, MPI_INT, call->in, counts, places, MPI_INT, root, comm, request);
      break;
    case 8:
      MPI_Iscatterv(call->out, counts, places, MPI_INT, call->in, 1, MPI_INT, root, comm, request);
      break;
    case 9:
      MPI_Iallgatherv(call->out, 1, MPI_INT, call->in, counts, places, MPI_INT, comm, request);
      break;
    case 10:
      MPI_Ialltoallv(call->out, counts, places, MPI_INT, call->in, counts, places, MPI_INT, comm, request);
      break;
    default:
      MPI_Ineighbor_alltoallw(call->out, counts, arrays.far, arrays.types, call->in, counts, arrays.far,
                              arrays.types, world->ring, request);
  }
  spoil(&arrays, size);
}

static void check(const struct World* world, int k, struct Call* call) {
  const int rank = world->rank, size = world->size, root = k % size, below = (rank + size - 1) % size;
  int relation;
  switch (k % kinds) {
    case 0:
    case 3:
    case 10:
      for (int i = 0; i < size; ++i)
        CHECK(call->in[i] == given(k, i, rank), "call %d, from %d: %d", k, i, call->in[i]);
      break;
    case 1:
      CHECK(call->in[0] == sums_up_to(k, rank, 0), "scan %d: %d", k, call->in[0]);
      break;
    case 2:
      for (int i = 0; i < size; ++i)
        CHECK(call->in[i] == sums_up_to(k, size - 1, i), "sum %d, element %d: %d", k, i, call->in[i]);
      break;
    case 4:
    case 11: /* the one below sends to its second neighbour, the one above to its first */
      CHECK(call->in[0] == given(k, below, 1), "call %d, from below: %d", k, call->in[0]);
      CHECK(call->in[1] == given(k, (rank + 1) % size, 0), "call %d, from above: %d", k, call->in[1]);
      break;
    case 5:
      CHECK(call->in[0] == sums_up_to(k, size - 1, rank), "call %d: %d", k, call->in[0]);
      break;
    case 7:
    case 9:
      for (int i = 0; i < size && (k % kinds == 9 || rank == root); ++i)
        CHECK(call->in[i] == given(k, i, 0), "call %d, from %d: %d", k, i, call->in[i]);
      break;
    case 8:
      CHECK(call->in[0] == given(k, root, rank), "call %d: %d", k, call->in[0]);
      break;
    default:
      MPI_Comm_compare(call->copy, MPI_COMM_WORLD, &relation);
      CHECK(relation == MPI_CONGRUENT, "call %d: a copy compares as %d", k, relation);
      MPI_Comm_free(&call->copy);
  }
}

/* Waits for all requests: first for some by Test and Waitsome, for the rest by Waitall. */
static void wait_for_all(int count, MPI_Request* requests) {
  static int indices[kinds * each];
  int done, number;
  for (int i = 0; i < 10; ++i) MPI_Test(&requests[i * 11], &done, MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i) MPI_Waitsome(count, requests, &number, indices, MPI_STATUSES_IGNORE);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  static struct Call calls[kinds * each];
  static MPI_Request requests[kinds * each];
  struct World world = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  MPI_Op_create(add, 1, &world.op);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &world.size, (int[]){1}, 0, &world.ring);
  for (int round = 0; round < rounds; ++round) {
    /* Rank 0 comes late to a third of the calls: the others have these under way when ranks move. */
    const int now = world.rank == 0 ? 2 * kinds * each / 3 : kinds * each;
    for (int k = 0; k < now; ++k) start(&world, k + round, &calls[k], &requests[k]);
    MPI_Migrate();
    for (int k = now; k < kinds * each; ++k) start(&world, k + round, &calls[k], &requests[k]);
    wait_for_all(kinds * each, requests);
    for (int k = 0; k < kinds * each; ++k) check(&world, k + round, &calls[k]);
  }
  MPI_Comm_free(&world.ring);
  MPI_Op_free(&world.op);
  return finish("outstanding");
}
