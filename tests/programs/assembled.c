// SPDX-License-Identifier: Apache-2.0
// `assembled [ROUNDS]`: blocking collectives of ranks that share PEs, between moves. Short pieces and long
// ones, dense and with gaps; buffers in the heap, on the stack, among constants and thread-local variables;
// in place; on the world, on every other rank, and on the ranks in disorder. Values are a function of sender,
// receiver and index.
#include <string.h>

#include "check.h"

static int value(int from, int to, int i) { return from * 10007 + to * 101 + i % 89; }

static MPI_Datatype spaced;  // an int, and room for another

typedef struct {
  MPI_Comm comm;
  int rank, size;
  int count, step;  // ints of a piece, and distance of pieces at the receiver
  MPI_Datatype type;
  int* wide;    // pieces of all, spaced
  int* narrow;  // pieces of all, dense
} Place;

static void fill(int* numbers, long count, int with) {
  for (long i = 0; i < count; ++i) numbers[i] = with;
}

/// Checks the piece from `from` for `to`, at `index` of the wide buffer; gaps must be unchanged.
static void check_piece(const Place* p, int index, int from, int to) {
  const int* const at = p->wide + (long)index * p->count * p->step;
  for (int i = 0; i < p->count; ++i) {
    CHECK(at[i * p->step] == value(from, to, i));
    if (p->step == 2) CHECK(at[2 * i + 1] == -5);
  }
}
static void write_piece(int* at, const Place* p, int step, int from, int to) {
  for (int i = 0; i < p->count; ++i) at[(long)i * step] = value(from, to, i);
}

static void gather(const Place* p, int root, int in_place) {
  const int here = p->rank == root;
  write_piece(p->narrow, p, 1, p->rank, root);
  fill(p->wide, (long)p->size * p->count * p->step, -5);
  if (here && in_place) write_piece(p->wide + (long)root * p->count * p->step, p, p->step, root, root);
  MPI_Gather(here && in_place ? MPI_IN_PLACE : p->narrow, p->count, MPI_INT, p->wide, p->count, p->type, root,
             p->comm);
  for (int from = 0; here && from < p->size; ++from) check_piece(p, from, from, root);
}

static void scatter(const Place* p, int root, int in_place) {
  const int here = p->rank == root;
  fill(p->wide, (long)p->size * p->count * p->step, -5);
  for (int to = 0; here && to < p->size; ++to)
    write_piece(p->wide + (long)to * p->count * p->step, p, p->step, root, to);
  fill(p->narrow, p->count, -1);
  MPI_Scatter(p->wide, p->count, p->type, here && in_place ? MPI_IN_PLACE : p->narrow, p->count, MPI_INT,
              root, p->comm);
  for (int i = 0; i < p->count; ++i) CHECK(p->narrow[i] == (here && in_place ? -1 : value(root, p->rank, i)));
}

static void allgather(const Place* p, int in_place) {
  write_piece(p->narrow, p, 1, p->rank, 7);
  fill(p->wide, (long)p->size * p->count * p->step, -5);
  if (in_place) write_piece(p->wide + (long)p->rank * p->count * p->step, p, p->step, p->rank, 7);
  MPI_Allgather(in_place ? MPI_IN_PLACE : p->narrow, p->count, MPI_INT, p->wide, p->count, p->type, p->comm);
  for (int from = 0; from < p->size; ++from) check_piece(p, from, from, 7);
}

static void alltoall(const Place* p, int in_place) {
  fill(p->wide, (long)p->size * p->count * p->step, -5);
  for (int to = 0; to < p->size; ++to) {
    write_piece(p->narrow + (long)to * p->count, p, 1, p->rank, to);
    if (in_place) write_piece(p->wide + (long)to * p->count * p->step, p, p->step, p->rank, to);
  }
  MPI_Alltoall(in_place ? MPI_IN_PLACE : p->narrow, p->count, MPI_INT, p->wide, p->count, p->type, p->comm);
  for (int from = 0; from < p->size; ++from) check_piece(p, from, from, p->rank);
}

static void bcast(const Place* p, int root) {
  fill(p->wide, (long)p->count * p->step, -5);
  if (p->rank == root) write_piece(p->wide, p, p->step, root, 3);
  MPI_Bcast(p->wide, p->count, p->type, root, p->comm);
  check_piece(p, 0, root, 3);
}

/// Returns the sum over the ranks from `first` to `last` of rank + i.
static int sum(int first, int last, int i) {
  const int n = last - first + 1;
  return n * i + (first + last) * n / 2;
}

static void reductions(const Place* p, int root, int in_place) {
  int *const in = p->narrow, *const out = p->wide, n = p->count, last = p->size - 1;
  for (int i = 0; i < n; ++i) in[i] = p->rank + i, out[i] = -1;
  if (in_place) memcpy(out, in, n * sizeof *in);
  MPI_Allreduce(in_place ? MPI_IN_PLACE : in, out, n, MPI_INT, MPI_SUM, p->comm);
  for (int i = 0; i < n; ++i) CHECK(out[i] == sum(0, last, i));
  for (int i = 0; i < n; ++i) out[i] = in_place ? p->rank + i : -1;
  const int here = p->rank == root;
  MPI_Reduce(here && in_place ? MPI_IN_PLACE : in, out, n, MPI_INT, MPI_MAX, root, p->comm);
  for (int i = 0; here && i < n; ++i) CHECK(out[i] == last + i);
  for (int i = 0; i < n; ++i) out[i] = in_place ? p->rank + i : -1;
  MPI_Scan(in_place ? MPI_IN_PLACE : in, out, n, MPI_INT, MPI_SUM, p->comm);
  for (int i = 0; i < n; ++i) CHECK(out[i] == sum(0, p->rank, i));
  for (int i = 0; i < n; ++i) out[i] = in_place ? p->rank + i : -1;
  MPI_Exscan(in_place ? MPI_IN_PLACE : in, out, n, MPI_INT, MPI_SUM, p->comm);
  for (int i = 0; p->rank > 0 && i < n; ++i) CHECK(out[i] == sum(0, p->rank - 1, i));
  // Equal pieces for each rank; then lengths that grow with the rank, so that rank 0 gets nothing.
  for (long i = 0; i < (long)p->size * n; ++i) in[i] = p->rank + (int)(i % n);
  if (in_place) memcpy(out, in, (long)p->size * n * sizeof *in);
  MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : in, out, n, MPI_INT, MPI_SUM, p->comm);
  for (int i = 0; i < n; ++i) CHECK(out[i] == sum(0, last, i));
  int counts[64], before = 0;
  for (int i = 0; i < p->size; ++i) {
    counts[i] = n * i / p->size;
    if (i < p->rank) before += counts[i];
  }
  for (int i = 0; i < n * p->size; ++i) in[i] = p->rank + i;
  MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, p->comm);
  for (int i = 0; i < counts[p->rank]; ++i) CHECK(out[i] == sum(0, last, before + i));
}

/// Checks that floating-point sums have the same bits on all ranks.
static void same_bits(const Place* p) {
  double mine[3], all[3], least[3], most[3];
  for (int i = 0; i < 3; ++i) mine[i] = 1.0 / (3 + p->rank + i);
  MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, p->comm);
  MPI_Allreduce(all, least, 3, MPI_DOUBLE, MPI_MIN, p->comm);
  MPI_Allreduce(all, most, 3, MPI_DOUBLE, MPI_MAX, p->comm);
  CHECK(memcmp(least, most, sizeof least) == 0);
}

enum { constants = 3000 };
#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define HUNDRED(x) TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x)
#define THOUSAND(x)                                                                               \
  HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), \
      HUNDRED(x), HUNDRED(x)
static const int constant[constants] = {THOUSAND(11), THOUSAND(12), THOUSAND(13)};
static __thread int own[constants], others[128], piece_counts[64], piece_starts[64];

/// Uses memory that other PEs cannot read: each maps constants for itself, and thread-local variables are
/// elsewhere while their rank does not run.
static void unseen_memory(const Place* p) {
  int* const all = p->wide;
  MPI_Allgather(constant, constants, MPI_INT, all, constants, MPI_INT, p->comm);
  for (long i = 0; i < (long)p->size * constants; ++i) CHECK(all[i] == 11 + (int)(i % constants) / 1000);
  for (int i = 0; i < constants; ++i) own[i] = value(p->rank, 2, i);
  MPI_Allgather(own, constants, MPI_INT, all, constants, MPI_INT, p->comm);
  for (long i = 0; i < (long)p->size * constants; ++i)
    CHECK(all[i] == value((int)(i / constants), 2, (int)(i % constants)));
  for (int i = 0; i < p->size; ++i) own[i] = value(p->rank, i, 0), others[i] = -1;
  MPI_Alltoall(own, 1, MPI_INT, others, 1, MPI_INT, p->comm);
  for (int i = 0; i < p->size; ++i) CHECK(others[i] == value(i, p->rank, 0));
  const int root = p->size - 1;
  for (long i = 0; p->rank == root && i < (long)p->size * constants; ++i) all[i] = (int)i;
  MPI_Scatter(all, constants, MPI_INT, own, constants, MPI_INT, root, p->comm);
  for (int i = 0; i < constants; ++i) CHECK(own[i] == p->rank * constants + i);
  MPI_Gather(own, constants, MPI_INT, all, constants, MPI_INT, 0, p->comm);
  for (long i = 0; p->rank == 0 && i < (long)p->size * constants; ++i) CHECK(all[i] == (int)i);
  // Counts are in such memory, too, and pieces have different lengths: rank i has as many ints as its number.
  for (int i = 0, at = 0; i < p->size; at += piece_counts[i++])
    piece_counts[i] = i % 4 ? constants : i, piece_starts[i] = at;
  for (int i = 0; i < constants; ++i) own[i] = value(p->rank, 4, i);
  fill(all, (long)p->size * constants, -1);
  MPI_Allgatherv(p->rank % 3 ? own : constant, piece_counts[p->rank], MPI_INT, all, piece_counts,
                 piece_starts, MPI_INT, p->comm);
  for (int from = 0; from < p->size; ++from)
    for (int i = 0; i < piece_counts[from]; ++i)
      CHECK(all[piece_starts[from] + i] == (from % 3 ? value(from, 4, i) : 11 + i / 1000));
  for (int i = 0; i < p->size; ++i) piece_counts[i] = (i + p->rank) % 3, piece_starts[i] = 2 * i;
  fill(others, 2 * p->size, -1);
  MPI_Alltoallv(own, piece_counts, piece_starts, MPI_INT, others, piece_counts, piece_starts, MPI_INT,
                p->comm);
  for (int from = 0; from < p->size; ++from)
    for (int i = 0; i < 2; ++i)
      CHECK(others[2 * from + i] == (i < piece_counts[from] ? value(from, 4, 2 * p->rank + i) : -1));
  own[0] = p->rank;
  MPI_Scan(own, others, 1, MPI_INT, MPI_SUM, p->comm);
  CHECK(others[0] == p->rank * (p->rank + 1) / 2);
}

static void all_kinds(MPI_Comm comm, int round) {
  // The longest pieces: more than a megabyte for a pair of PEs.
  static const int counts[] = {1, 2, 40, 700, 5000};
  Place p = {.comm = comm};
  MPI_Comm_rank(comm, &p.rank);
  MPI_Comm_size(comm, &p.size);
  for (int k = 0; k < 5; ++k) {
    p.count = counts[(k + round) % 5];
    p.step = 1 + (k + round / 2) % 2;
    p.type = p.step == 1 ? MPI_INT : spaced;
    const int root = (round + k) % p.size, in_place = (round + k / 2) % 2;
    const long room = (long)p.size * (p.count > constants ? p.count : constants);
    p.narrow = malloc(room * sizeof(int));
    p.wide = malloc(2 * room * sizeof(int));
    gather(&p, root, in_place);
    scatter(&p, root, in_place);
    allgather(&p, in_place);
    alltoall(&p, in_place);
    bcast(&p, root);
    reductions(&p, root, in_place);
    same_bits(&p);
    if (k == 0) unseen_memory(&p);
    free(p.narrow);
    free(p.wide);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 4);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced);
  MPI_Type_commit(&spaced);
  MPI_Comm halves, disorder;
  MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2, my_rank, &halves);
  MPI_Comm_split(MPI_COMM_WORLD, 0, my_rank * 5 % 7, &disorder);
  for (int round = 0; round < rounds; ++round) {
    maybe_move();
    all_kinds(MPI_COMM_WORLD, round);
    maybe_move();
    all_kinds(halves, round + 1);
    maybe_move();
    all_kinds(disorder, round + 2);
  }
  MPI_Comm_free(&disorder);
  MPI_Comm_free(&halves);
  MPI_Type_free(&spaced);
  finish("assembled");
  return 0;
}
