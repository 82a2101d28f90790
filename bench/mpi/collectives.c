// SPDX-License-Identifier: Apache-2.0
// collectives RANKS [KIND]: collectives on the same data however many processes hold it. RANKS is the number
// of ranks that the data belong to: if one of so many has n bytes, each of P processes has RANKS * n / P.
// Prints lines: kind, n, nanoseconds a call.
//
// n is the larger of a rank's own buffers, without those of a root that hold a piece for every rank. If the
// buffer has a piece for every rank (allgather, alltoall, reduce_scatter), a piece has at least 8 bytes.
//
// KIND: only that kind. Only so nonblocking and persistent ones are measured, each started and awaited:
// ibarrier, iallreduce, ibcast; with MPI 4 barrier_init, allreduce_init, bcast_init.
#include "timing.h"

typedef struct {
  int rank, ranks;
  int count;  ///< doubles in this rank's own buffer
  int piece;  ///< doubles of it for each rank
  double *mine, *result, *all;
  MPI_Request kept;  ///< of a persistent collective
} Buffers;

static void barrier(void* with) {
  (void)with;
  MPI_Barrier(MPI_COMM_WORLD);
}
static void bcast(void* with) {
  const Buffers* const b = with;
  MPI_Bcast(b->mine, b->count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static void reduce(void* with) {
  const Buffers* const b = with;
  MPI_Reduce(b->mine, b->result, b->count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void allreduce(void* with) {
  const Buffers* const b = with;
  MPI_Allreduce(b->mine, b->result, b->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void gather(void* with) {
  const Buffers* const b = with;
  MPI_Gather(b->mine, b->count, MPI_DOUBLE, b->all, b->count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static void scatter(void* with) {
  const Buffers* const b = with;
  MPI_Scatter(b->all, b->count, MPI_DOUBLE, b->mine, b->count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static void allgather(void* with) {
  const Buffers* const b = with;
  MPI_Allgather(b->mine, b->piece, MPI_DOUBLE, b->result, b->piece, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void alltoall(void* with) {
  const Buffers* const b = with;
  MPI_Alltoall(b->mine, b->piece, MPI_DOUBLE, b->result, b->piece, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void reduce_scatter(void* with) {
  const Buffers* const b = with;
  MPI_Reduce_scatter_block(b->mine, b->result, b->piece, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void scan(void* with) {
  const Buffers* const b = with;
  MPI_Scan(b->mine, b->result, b->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void ibarrier(void* with) {
  (void)with;
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void ibcast(void* with) {
  const Buffers* const b = with;
  MPI_Request request;
  MPI_Ibcast(b->mine, b->count, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void iallreduce(void* with) {
  const Buffers* const b = with;
  MPI_Request request;
  MPI_Iallreduce(b->mine, b->result, b->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
#if MPI_VERSION >= 4
static void make_barrier(Buffers* b) { MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &b->kept); }
static void make_bcast(Buffers* b) {
  MPI_Bcast_init(b->mine, b->count, MPI_DOUBLE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &b->kept);
}
static void make_allreduce(Buffers* b) {
  MPI_Allreduce_init(b->mine, b->result, b->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &b->kept);
}
#else
static void make_none(void) {
  fprintf(stderr, "collectives: this MPI has no persistent collectives\n");
  MPI_Abort(MPI_COMM_WORLD, 1);
}
static void make_barrier(Buffers* b) { (void)b, make_none(); }
static void make_bcast(Buffers* b) { (void)b, make_none(); }
static void make_allreduce(Buffers* b) { (void)b, make_none(); }
#endif
static void again(void* with) {
  Buffers* const b = with;
  MPI_Start(&b->kept);
  MPI_Wait(&b->kept, MPI_STATUS_IGNORE);
}

typedef struct {
  const char* name;
  void (*call)(void*);
  int pieces;              ///< a rank's buffer has a piece for every rank
  int if_asked;            ///< measured on request only: not a blocking one
  void (*make)(Buffers*);  ///< makes a persistent one, which `call` starts
} Kind;

/// Makes one call with known values: every rank's buffer is filled with its number.
static void check(const Kind* kind, Buffers* b) {
  const int n = b->ranks, last = b->count - 1;
  for (int i = 0; i < b->count; ++i) b->mine[i] = b->rank;
  if (b->all)
    for (int i = 0; i < n * b->count; ++i) b->all[i] = i / b->count;
  kind->call(b);
  const double sum = n * (n - 1) / 2.0;
  if (kind->call == bcast || kind->call == ibcast || kind->make == make_bcast)
    expect(b->mine[last] == 0, kind->name);
  if (kind->call == reduce) expect(b->rank > 0 || b->result[last] == sum, kind->name);
  if (kind->call == allreduce || kind->call == iallreduce || kind->make == make_allreduce)
    expect(b->result[last] == sum, kind->name);
  if (kind->call == gather)
    for (int i = 0; b->all && i < n; ++i) expect(b->all[i * b->count] == i, kind->name);
  if (kind->call == scatter) expect(b->mine[last] == b->rank, kind->name);
  if (kind->call == allgather || kind->call == alltoall)
    for (int i = 0; i < n; ++i) expect(b->result[i * b->piece] == i, kind->name);
  if (kind->call == reduce_scatter) expect(b->result[b->piece - 1] == sum, kind->name);
  if (kind->call == scan) expect(b->result[last] == b->rank * (b->rank + 1) / 2.0, kind->name);
}

static void measure(const Kind* kind, int of_ranks, size_t bytes) {
  Buffers b;
  MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
  if (kind->pieces && bytes < of_ranks * sizeof(double)) bytes = of_ranks * sizeof(double);
  const size_t share = bytes * (size_t)of_ranks / (size_t)b.ranks;
  b.count = (int)(share / sizeof(double));
  b.piece = b.count / b.ranks;
  b.mine = (double*)touched(share);
  b.result = (double*)touched(share);
  const int whole = b.rank == 0 && (kind->call == gather || kind->call == scatter);
  b.all = whole ? (double*)touched(share * (size_t)b.ranks) : NULL;
  if (kind->make) kind->make(&b);
  check(kind, &b);
  memset(b.mine, 0, share);
  print_row(kind->name, bytes, seconds_each(kind->call, &b, bytes < 65536 ? 0.01 : 0.05));
  if (kind->make) MPI_Request_free(&b.kept);
  free(b.mine);
  free(b.result);
  free(b.all);
}

int main(int argc, char** argv) {
  static const Kind kinds[] = {{"bcast", bcast, 0, 0, NULL},
                               {"reduce", reduce, 0, 0, NULL},
                               {"allreduce", allreduce, 0, 0, NULL},
                               {"gather", gather, 0, 0, NULL},
                               {"scatter", scatter, 0, 0, NULL},
                               {"allgather", allgather, 1, 0, NULL},
                               {"alltoall", alltoall, 1, 0, NULL},
                               {"reduce_scatter", reduce_scatter, 1, 0, NULL},
                               {"scan", scan, 0, 0, NULL},
                               {"ibarrier", ibarrier, 0, 1, NULL},
                               {"ibcast", ibcast, 0, 1, NULL},
                               {"iallreduce", iallreduce, 0, 1, NULL},
                               {"barrier_init", again, 0, 1, make_barrier},
                               {"bcast_init", again, 0, 1, make_bcast},
                               {"allreduce_init", again, 0, 1, make_allreduce}};
  static const size_t sizes[] = {8, 8192, 1048576};
  MPI_Init(&argc, &argv);
  const int of_ranks = argc > 1 ? atoi(argv[1]) : 64;
  const char* const only = argc > 2 ? argv[2] : NULL;
  if (!only) print_row("barrier", 0, seconds_each(barrier, NULL, 0.01));
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
      if (only ? !strcmp(only, kinds[i].name) : !kinds[i].if_asked) measure(&kinds[i], of_ranks, sizes[k]);
  MPI_Finalize();
  return 0;
}
