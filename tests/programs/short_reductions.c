// SPDX-License-Identifier: Apache-2.0
// `short_reductions [ROUNDS]`: reductions of a few elements by ranks that share PEs, between moves. All kinds
// of arithmetic types, so that elements of 1 to 32 bytes lie side by side; counts up to and beyond the limit
// of short ones; in place; several communicators in turn, whose members are on different PEs, with nothing
// between one call and the next, so that ranks begin the next call before others have taken the result of the
// last. Values follow from call, rank and index, and are small enough to be exact in each type.
#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { most = 70, comms = 5, in_a_row = 40 };

typedef struct {
  MPI_Comm comm;
  int rank, size;
} Group;

/// Returns the value of rank `rank`: from 1 to 3, so that sums over 40 ranks, like the marks 88 and 99 below,
/// fit a byte.
static int brought(int rank, int call, int i) { return 1 + (rank * 7 + call + i) % 3; }

static int sum_of(int size, int call, int i) {
  int sum = 0;
  for (int rank = 0; rank < size; ++rank) sum += brought(rank, call, i);
  return sum;
}
static int most_of(int size, int call, int i) {
  int largest = 0;
  for (int rank = 0; rank < size; ++rank)
    if (brought(rank, call, i) > largest) largest = brought(rank, call, i);
  return largest;
}

#define REDUCE_AND_CHECK(Type, datatype, ordered)                                                            \
  do {                                                                                                       \
    Type in[most], out[most + 1];                                                                            \
    memset(in, 0, sizeof in), memset(out, 0, sizeof out);                                                    \
    for (int i = 0; i < count; ++i) in[i] = (Type)brought(g->rank, call, i), out[i] = in_place ? in[i] : 0;  \
    out[count] = (Type)99;                                                                                   \
    MPI_Allreduce(in_place ? MPI_IN_PLACE : in, out, count, datatype, MPI_SUM, g->comm);                     \
    for (int i = 0; i < count; ++i) CHECK(out[i] == (Type)sum_of(g->size, call, i));                         \
    CHECK(out[count] == (Type)99);                                                                           \
    for (int i = 0; i < count; ++i) out[i] = in_place ? in[i] : (Type)88;                                    \
    const int root = call % g->size, here = root == g->rank;                                                 \
    MPI_Reduce(here&& in_place ? MPI_IN_PLACE : in, out, count, datatype, ordered ? MPI_MAX : MPI_SUM, root, \
               g->comm);                                                                                     \
    for (int i = 0; i < count; ++i)                                                                          \
      CHECK(out[i] ==                                                                                        \
            (!here ? (in_place ? in[i] : (Type)88) : (Type)(ordered ? most_of : sum_of)(g->size, call, i))); \
    CHECK(out[count] == (Type)99);                                                                           \
  } while (0)

static void arithmetic(const Group* g, int kind, int count, int call, int in_place) {
  switch (kind) {
    case 0:
      REDUCE_AND_CHECK(int8_t, MPI_INT8_T, 1);
      break;
    case 1:
      REDUCE_AND_CHECK(int16_t, MPI_INT16_T, 1);
      break;
    case 2:
      REDUCE_AND_CHECK(int, MPI_INT, 1);
      break;
    case 3:
      REDUCE_AND_CHECK(float, MPI_FLOAT, 1);
      break;
    case 4:
      REDUCE_AND_CHECK(double, MPI_DOUBLE, 1);
      break;
    case 5:
      REDUCE_AND_CHECK(long, MPI_LONG, 1);
      break;
    case 6:
      REDUCE_AND_CHECK(long double, MPI_LONG_DOUBLE, 1);
      break;
    case 7:
      REDUCE_AND_CHECK(double complex, MPI_C_DOUBLE_COMPLEX, 0);
      break;
    default:
      REDUCE_AND_CHECK(long double complex, MPI_C_LONG_DOUBLE_COMPLEX, 0);
      break;
  }
}

typedef struct {
  double value;
  int place;
} Located;  // with padding, which stays the program's
typedef struct {
  int value, place;
} Dense;

/// Finds the rank that has the most: the first of ranks with equal values.
static void located(const Group* g, int call) {
  int first = 0;
  while (brought(first, call, 0) < most_of(g->size, call, 0)) ++first;
  Located in, out;
  memset(&in, 0x5a, sizeof in);
  memset(&out, 0x33, sizeof out);
  in.value = brought(g->rank, call, 0), in.place = g->rank;
  MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, g->comm);
  CHECK(out.value == most_of(g->size, call, 0) && out.place == first);
  const unsigned char* const bytes = (const unsigned char*)&out;
  for (size_t i = sizeof(double) + sizeof(int); i < sizeof out; ++i) CHECK(bytes[i] == 0x33);
  Dense mine = {brought(g->rank, call, 0), g->rank}, all = {-1, -1};
  MPI_Allreduce(&mine, &all, 1, MPI_2INT, MPI_MAXLOC, g->comm);
  CHECK(all.value == most_of(g->size, call, 0) && all.place == first);
}

/// Uses two communicators in turn, each call with the result of the one before: a result that came a call too
/// early or too late would show in all later calls.
static void chained(const Group* a, const Group* b, int call) {
  long expected = call, mine = call;
  for (int k = 0; k < in_a_row; ++k) {
    const Group* const g = k % 3 == 1 ? b : a;
    long sum = -1;
    mine = (expected % 1000) * (g->rank + 1) + k;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, g->comm);
    const long n = g->size;
    const long right = (expected % 1000) * (n * (n + 1) / 2) + n * k;
    CHECK(sum == right);
    // Members of both have the same value: it is a function of the call alone.
    expected = call + 31L * k;
  }
}

static void use(const Group* groups, int round) {
  int call = round * 1000;
  for (int k = 0; k < comms; ++k) {
    const Group* const g = &groups[k];
    for (int kind = 0; kind < 9; ++kind)
      for (int step = 0; step < 4; ++step) {
        // One element, some, as many as make 64 bytes, one more.
        static const int sizes[] = {1, 2, 4, 4, 8, 8, 16, 16, 32};
        const int fits = 64 / sizes[kind];
        const int count = step == 0 ? 1 : step == 1 ? 1 + call % fits : step == 2 ? fits : fits + 1;
        arithmetic(g, kind, count, call, (call / 2) % 2);
        ++call;
      }
    located(g, call);
    chained(g, &groups[(k + 1) % comms == 4 ? 0 : (k + 1) % comms], call);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 3);
  CHECK(rank_count <= 40);
  for (int round = 0; round < rounds; ++round) {
    Group groups[comms];
    groups[0].comm = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &groups[1].comm);
    MPI_Comm_split(MPI_COMM_WORLD, 0, my_rank * 5 % 7, &groups[2].comm);
    MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2, -my_rank, &groups[3].comm);
    MPI_Comm_split(MPI_COMM_WORLD, my_rank == rank_count - 1, my_rank, &groups[4].comm);
    for (int k = 0; k < comms; ++k) {
      MPI_Comm_rank(groups[k].comm, &groups[k].rank);
      MPI_Comm_size(groups[k].comm, &groups[k].size);
    }
    use(groups, round);
    maybe_move();
    use(groups, round + 1);
    for (int k = 1; k < comms; ++k) MPI_Comm_free(&groups[k].comm);
    maybe_move();
  }
  finish("short_reductions");
  return 0;
}
