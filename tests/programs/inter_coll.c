// SPDX-License-Identifier: Apache-2.0
// All collectives between two groups (MPI 4.1, 6.2.2 and each call's paragraph on intercommunicators), in all
// forms, while ranks move: each group gets the other's data. Every value follows from side, rank and place.
// The groups have all kinds of sizes, and other orders than the world.
#include <string.h>

#include "check.h"

enum { blocking, nonblocking, persistent, forms };

static MPI_Comm inter;
static int side, rank, ours, theirs;  // which group this is; rank in it; sizes
static int form;

/// Runs a collective in the present form. Requests are under way while ranks move.
#define RUN(Name, Iname, ...)                                  \
  do {                                                         \
    MPI_Request request;                                       \
    if (form == blocking) {                                    \
      CHECK(MPI_##Name(__VA_ARGS__) == MPI_SUCCESS);           \
    } else if (form == nonblocking) {                          \
      MPI_I##Iname(__VA_ARGS__, &request);                     \
      maybe_move();                                            \
      MPI_Wait(&request, MPI_STATUS_IGNORE);                   \
    } else {                                                   \
      MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &request); \
      for (int start = 0; start < 2; ++start) {                \
        MPI_Start(&request);                                   \
        maybe_move();                                          \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                 \
      }                                                        \
      MPI_Request_free(&request);                              \
    }                                                          \
  } while (0)

static int value(int of_side, int of_rank, int place) {
  return of_side * 1000000 + of_rank * 1000 + place % 1000;
}

/// Returns room for `n` ints, filled with a number that is no value.
static int* room(int n) {
  int* const memory = malloc(sizeof(int) * (size_t)(n + 1));
  for (int i = 0; i <= n; ++i) memory[i] = -1;
  return memory;
}
/// Returns the rank's own values, from `place` on.
static int* brought(int n, int place) {
  int* const memory = room(n);
  for (int i = 0; i < n; ++i) memory[i] = value(side, rank, place + i);
  return memory;
}
static count_type* numbers(int n, int (*of)(int i)) {
  count_type* const list = malloc(sizeof(count_type) * (size_t)n);
  for (int i = 0; i < n; ++i) list[i] = of(i);
  return list;
}
/// Returns where pieces of these lengths begin, with a gap of one behind each.
static place_type* gaps(int n, const count_type* counts) {
  place_type* const list = malloc(sizeof(place_type) * (size_t)n);
  int at = 0;
  for (int i = 0; i < n; ++i) {
    list[i] = at;
    at += (int)counts[i] + 1;
  }
  return list;
}
static int growing(int i) { return i + 1; }

/// Returns the root argument for a root in the group `of_side`.
static int root_at(int of_side, int at) {
  if (side != of_side) return at;
  return rank == at ? MPI_ROOT : MPI_PROC_NULL;
}
static int size_of(int of_side) { return side == of_side ? ours : theirs; }

static void broadcasts(int of_side, int at, int n) {
  const int root = root_at(of_side, at);
  int* const data = root == MPI_ROOT ? brought(n, 0) : room(n);
  RUN(Bcast, bcast, root == MPI_PROC_NULL ? NULL : data, n,
      root == MPI_PROC_NULL ? MPI_DATATYPE_NULL : MPI_INT, root, inter);
  for (int i = 0; i < n; ++i) CHECK(data[i] == (root == MPI_PROC_NULL ? -1 : value(of_side, at, i)));
  free(data);
}

static void gathers(int of_side, int at, int n) {
  const int root = root_at(of_side, at), brings = root >= 0, gets = root == MPI_ROOT;
  int* const mine = brought(n, 0);
  int* const all = room(theirs * n);
  RUN(Gather, gather, brings ? mine : NULL, n, MPI_INT, gets ? all : NULL, n, MPI_INT, root, inter);
  for (int i = 0; i < theirs * n; ++i) CHECK(all[i] == (gets ? value(!side, i / n, i % n) : -1));
  free(mine);
  free(all);

  count_type* const counts = numbers(theirs, growing);
  place_type* const starts = gaps(theirs, counts);
  const int length = theirs * (theirs + 3) / 2;
  int* const own = brought(rank + 1, 7);
  int* const pieces = room(length);
  RUN(Gatherv, gatherv, own, rank + 1, MPI_INT, pieces, gets ? counts : NULL, gets ? starts : NULL, MPI_INT,
      root, inter);
  for (int i = 0; i < theirs; ++i) {
    for (int k = 0; k <= i; ++k) CHECK(pieces[starts[i] + k] == (gets ? value(!side, i, 7 + k) : -1));
    CHECK(pieces[starts[i] + i + 1] == -1);
  }
  free(own);
  free(pieces);
  free(counts);
  free(starts);
}

static void scatters(int of_side, int at, int n) {
  const int root = root_at(of_side, at), gets = root >= 0;
  int* const all = brought(theirs * n, 0);
  int* const mine = room(n);
  RUN(Scatter, scatter, all, n, MPI_INT, mine, n, MPI_INT, root, inter);
  for (int i = 0; i < n; ++i) CHECK(mine[i] == (gets ? value(of_side, at, rank * n + i) : -1));
  free(all);
  free(mine);

  count_type* const counts = numbers(theirs, growing);
  place_type* const starts = gaps(theirs, counts);
  int* const pieces = brought(theirs * (theirs + 3) / 2, 0);
  int* const own = room(rank + 1);
  RUN(Scatterv, scatterv, pieces, counts, starts, MPI_INT, own, rank + 1, MPI_INT, root, inter);
  const int before = rank * (rank + 1) / 2 + rank;  // pieces and gaps
  for (int i = 0; i <= rank; ++i) CHECK(own[i] == (gets ? value(of_side, at, before + i) : -1));
  free(pieces);
  free(own);
  free(counts);
  free(starts);
}

/// Gathers pieces of different lengths both ways, some of them empty.
static void allgathers(int n) {
  const int out = side ? n : n / 2, in = side ? n / 2 : n;
  int* const mine = brought(out, 0);
  int* const all = room(theirs * in);
  RUN(Allgather, allgather, mine, out, MPI_INT, all, in, MPI_INT, inter);
  for (int i = 0; i < theirs * in; ++i) CHECK(all[i] == value(!side, i / in, i % in));
  free(mine);
  free(all);

  count_type* const counts = numbers(theirs, growing);
  place_type* const starts = gaps(theirs, counts);
  int* const own = brought(rank + 1, 3);
  int* const pieces = room(theirs * (theirs + 3) / 2);
  RUN(Allgatherv, allgatherv, own, rank + 1, MPI_INT, pieces, counts, starts, MPI_INT, inter);
  for (int i = 0; i < theirs; ++i) {
    for (int k = 0; k <= i; ++k) CHECK(pieces[starts[i] + k] == value(!side, i, 3 + k));
    CHECK(pieces[starts[i] + i + 1] == -1);
  }
  free(own);
  free(pieces);
  free(counts);
  free(starts);
}

static int between(int i) { return (rank + i) % 3; }

static void alltoalls(int n) {
  const int out = side ? n : n / 2, in = side ? n / 2 : n;
  int* const mine = brought(theirs * out, 0);
  int* const all = room(theirs * in);
  RUN(Alltoall, alltoall, mine, out, MPI_INT, all, in, MPI_INT, inter);
  for (int i = 0; i < theirs * in; ++i) CHECK(all[i] == value(!side, i / in, rank * in + i % in));
  free(mine);
  free(all);

  // From rank r to rank q: (r + q) % 3 ints, the same back.
  count_type* const counts = numbers(theirs, between);
  place_type* const starts = gaps(theirs, counts);
  MPI_Datatype* const types = malloc(sizeof(MPI_Datatype) * (size_t)theirs);
  place_type* const in_bytes = malloc(sizeof(place_type) * (size_t)theirs);
  int total = 0;
  for (int i = 0; i < theirs; ++i) {
    total += (int)counts[i] + 1;
    types[i] = (rank + i) % 2 ? MPI_INT : MPI_INT32_T;
    in_bytes[i] = starts[i] * (int)sizeof(int);
  }
  for (int typed = 0; typed < 2; ++typed) {
    int* const own = brought(total, 0);
    int* const pieces = room(total);
    if (typed)
      RUN(Alltoallw, alltoallw, own, counts, in_bytes, types, pieces, counts, in_bytes, types, inter);
    else
      RUN(Alltoallv, alltoallv, own, counts, starts, MPI_INT, pieces, counts, starts, MPI_INT, inter);
    for (int i = 0; i < theirs; ++i) {
      int before = 0;  // data of rank i for the ranks below this one
      for (int q = 0; q < rank; ++q) before += (i + q) % 3 + 1;
      for (int k = 0; k < counts[i]; ++k) CHECK(pieces[starts[i] + k] == value(!side, i, before + k));
      CHECK(pieces[starts[i] + counts[i]] == -1);
    }
    free(own);
    free(pieces);
  }
  free(types);
  free(in_bytes);
  free(counts);
  free(starts);
}

// Maps x -> a x + b modulo a prime, composed in the order of ranks, which is associative but does not
// commute.
enum { prime = 10007 };
struct Map {
  int a, b;
};
static struct Map then(struct Map first, struct Map second) {
  return (struct Map){second.a * first.a % prime, (second.a * first.b + second.b) % prime};
}
static void compose(void* in, void* in_out, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i)
    ((struct Map*)in_out)[i] = then(((struct Map*)in)[i], ((struct Map*)in_out)[i]);
}
static struct Map map_of(int of_side, int of_rank, int i) {
  return (struct Map){2 + of_rank + of_side, (3 * of_rank + i + 5) % prime};
}
static struct Map composed(int of_side, int i) {
  struct Map all = map_of(of_side, 0, i);
  for (int r = 1; r < size_of(of_side); ++r) all = then(all, map_of(of_side, r, i));
  return all;
}
static struct Map* maps(int n) {
  struct Map* const list = malloc(sizeof(struct Map) * (size_t)(n + 1));
  for (int i = 0; i < n; ++i) list[i] = map_of(side, rank, i);
  return list;
}
static struct Map* no_maps(int n) {
  struct Map* const list = malloc(sizeof(struct Map) * (size_t)(n + 1));
  for (int i = 0; i <= n; ++i) list[i] = (struct Map){-1, -1};
  return list;
}
static int same(struct Map a, struct Map b) { return a.a == b.a && a.b == b.b; }
static const struct Map none = {-1, -1};

static count_type* piece_counts;  // of the rank's own group; the counts of each group add up to ours * theirs
static int piece(int i) {
  if (ours == 1) return theirs;
  return i == 0 ? theirs + 1 : i == 1 ? theirs - 1 : theirs;
}

static void reductions(int of_side, int at, int n) {
  MPI_Op op;
  MPI_Datatype type;
  MPI_Op_create(compose, 0, &op);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  const int root = root_at(of_side, at), gets = root == MPI_ROOT;
  struct Map *mine = maps(n), *all = no_maps(n);
  RUN(Reduce, reduce, mine, all, n, type, op, root, inter);
  for (int i = 0; i < n; ++i) CHECK(same(all[i], gets ? composed(!side, i) : none));
  RUN(Allreduce, allreduce, mine, all, n, type, op, inter);
  for (int i = 0; i < n; ++i) CHECK(same(all[i], composed(!side, i)));
  int sum = rank + 1, others = -1;
  RUN(Allreduce, allreduce, &sum, &others, 1, MPI_INT, MPI_SUM, inter);
  CHECK(others == theirs * (theirs + 1) / 2);
  free(mine);
  free(all);

  const int total = ours * theirs;
  mine = maps(total);
  all = no_maps(theirs + 1);
  RUN(Reduce_scatter_block, reduce_scatter_block, mine, all, theirs, type, op, inter);
  for (int i = 0; i < theirs; ++i) CHECK(same(all[i], composed(!side, rank * theirs + i)));
  CHECK(same(all[theirs], none));
  free(all);
  all = no_maps(theirs + 1);
  piece_counts = numbers(ours, piece);
  RUN(Reduce_scatter, reduce_scatter, mine, all, piece_counts, type, op, inter);
  int before = 0;
  for (int i = 0; i < rank; ++i) before += piece(i);
  for (int i = 0; i <= theirs; ++i) CHECK(same(all[i], i < piece(rank) ? composed(!side, before + i) : none));
  free(piece_counts);
  free(mine);
  free(all);
  MPI_Type_free(&type);
  MPI_Op_free(&op);
}

/// Checks that no rank leaves before all of the other group have come, by the clock that all share.
static void barriers(void) {
  const double came = MPI_Wtime();
  RUN(Barrier, barrier, inter);
  const double left = MPI_Wtime();
  double last_came = 0;
  MPI_Allreduce(&came, &last_came, 1, MPI_DOUBLE, MPI_MAX, inter);
  CHECK(last_came <= left);
}

/// Checks the arguments that a collective between groups refuses, with the class that the standard names.
static void errors(void) {
  MPI_Errhandler before;
  MPI_Comm_get_errhandler(inter, &before);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  int data[1] = {0};
  int* const all = room(theirs);
  CHECK(class_of(MPI_Scan(data, all, 1, MPI_INT, MPI_SUM, inter)) == MPI_ERR_COMM);
  CHECK(class_of(MPI_Exscan(data, all, 1, MPI_INT, MPI_SUM, inter)) == MPI_ERR_COMM);
  CHECK(class_of(MPI_Bcast(data, 1, MPI_INT, theirs, inter)) == MPI_ERR_ROOT);
  CHECK(class_of(MPI_Bcast(data, 1, MPI_INT, MPI_ANY_SOURCE, inter)) == MPI_ERR_ROOT);
  CHECK(class_of(MPI_Allreduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, inter)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, inter)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, inter)) == MPI_ERR_BUFFER);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK(class_of(MPI_Bcast(data, 1, MPI_INT, MPI_ROOT, MPI_COMM_SELF)) == MPI_ERR_ROOT);
  CHECK(class_of(MPI_Bcast(data, 1, MPI_INT, MPI_PROC_NULL, MPI_COMM_SELF)) == MPI_ERR_ROOT);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(inter, before);
  free(all);
}

/// Tests the first `first` ranks of the world against the others, both in the given order.
static void with_groups(int first, int backwards) {
  MPI_Comm local;
  side = my_rank >= first;
  MPI_Comm_split(MPI_COMM_WORLD, side, backwards ? -my_rank : my_rank, &local);
  const int leaders[2] = {backwards ? first - 1 : 0, backwards ? rank_count - 1 : first};
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, leaders[!side], 5, &inter);
  MPI_Comm_free(&local);
  MPI_Comm_rank(inter, &rank);
  MPI_Comm_size(inter, &ours);
  MPI_Comm_remote_size(inter, &theirs);
  CHECK(ours == (side ? rank_count - first : first) && theirs == rank_count - ours);
  for (form = 0; form < forms; ++form) {
    barriers();
    for (int of_side = 0; of_side < 2; ++of_side) {
      const int last = size_of(of_side) - 1;
      broadcasts(of_side, last, 5);
      broadcasts(of_side, 0, 40000);
      gathers(of_side, last, 3);
      gathers(of_side, 0, 5000);
      scatters(of_side, last, 3);
      scatters(of_side, 0, 5000);
      reductions(of_side, last, 1);
      reductions(of_side, 0, 3000);
    }
    allgathers(1);
    allgathers(4);
    allgathers(6000);
    alltoalls(1);
    alltoalls(4);
    alltoalls(3000);
    maybe_move();
  }
  errors();
  MPI_Comm_free(&inter);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (rank_count > 1) {
    with_groups(1, 0);
    if (rank_count > 2) with_groups((rank_count + 1) / 2, 1);
    if (rank_count > 3) with_groups(rank_count - 1, 0);
  }
  finish("inter_coll");
  return 0;
}
