/* SPDX-License-Identifier: Apache-2.0
 * Reductions: sums and maxima against closed formulas, and a program's operation that does not commute, whose
 * result depends on every rank's place: composition of the maps x -> a x + b over the integers modulo 2^32.
 */
#include "check.h"

typedef unsigned number;
typedef struct {
  number a, b;
} map;

static const int counts[] = {0, 1, 5, 100, 9000, 40000};
enum { count_kinds = sizeof counts / sizeof counts[0] };

static MPI_Datatype map_type;
static MPI_Op compose_op;

/* Computes inout = in, then inout. Allocates, as programs may. */
static void compose(void* in, void* inout, int* length, MPI_Datatype* type) {
  const map* first = in;
  map* second = inout;
  void* some = malloc(100);
  (void)type;
  for (int i = 0; i < *length; ++i) {
    second[i].b = second[i].a * first[i].b + second[i].b;
    second[i].a = second[i].a * first[i].a;
  }
  free(some);
}

static map map_of(int rank, int i) {
  map m = {(number)(2 * rank + 3), (number)(i * 7 + rank + 1)};
  return m;
}
/* Returns the composition of the maps of ranks [0, last]. */
static map composed(int last, int i) {
  map all = map_of(0, i);
  for (int r = 1; r <= last; ++r) {
    const map next = map_of(r, i);
    all.b = next.a * all.b + next.b;
    all.a *= next.a;
  }
  return all;
}

/* Returns the sum over ranks [0, last] of (rank + 1) * (i + 1): exact in double. */
static double sum_of(int last, int i) { return (last + 1) * (last + 2) / 2.0 * (i + 1); }

enum { reduce, allreduce, scan, exscan, kinds };

static void call(int kind, int form, const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                 int root, MPI_Comm comm) {
  if (kind == reduce) IN_FORM(form, Reduce, reduce, in, out, count, type, op, root, comm);
  if (kind == allreduce) IN_FORM(form, Allreduce, allreduce, in, out, count, type, op, comm);
  if (kind == scan) IN_FORM(form, Scan, scan, in, out, count, type, op, comm);
  if (kind == exscan) IN_FORM(form, Exscan, exscan, in, out, count, type, op, comm);
}

static void vectors(MPI_Comm comm, int kind, int count, int form, int in_place) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  for (int root = 0; root < (kind == reduce ? n : 1); ++root) {
    const int gets = kind == reduce ? rank == root : kind == exscan ? rank > 0 : 1;
    const int last = kind == scan ? rank : kind == exscan ? rank - 1 : n - 1;
    const int absent = in_place && (kind != reduce || rank == root);
    double *x = malloc((count + 1) * sizeof *x), *y = malloc((count + 1) * sizeof *y);
    map *f = malloc((count + 1) * sizeof *f), *g = malloc((count + 1) * sizeof *g);
    for (int i = 0; i < count; ++i) {
      x[i] = y[i] = (rank + 1.0) * (i + 1);
      f[i] = g[i] = map_of(rank, i);
    }
    call(kind, form, absent ? MPI_IN_PLACE : x, y, count, MPI_DOUBLE, MPI_SUM, root, comm);
    call(kind, form, absent ? MPI_IN_PLACE : f, g, count, map_type, compose_op, root, comm);
    for (int i = 0; gets && i < count; ++i) {
      const map want = composed(last, i);
      CHECK(y[i] == sum_of(last, i), "kind %d, %d elements, sum %d: %g, not %g", kind, count, i, y[i],
            sum_of(last, i));
      CHECK(g[i].a == want.a && g[i].b == want.b, "kind %d, %d elements, composition %d", kind, count, i);
    }
    for (int i = 0; i < count; ++i) CHECK(x[i] == (rank + 1.0) * (i + 1), "the send buffer has changed");
    free(x);
    free(y);
    free(f);
    free(g);
  }
}

static void scattered(MPI_Comm comm, int count, int form, int in_place, int equal) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  count_type counts_of[n];
  int before = 0, total = 0;
  for (int i = 0; i < n; ++i) {
    counts_of[i] = equal ? count : count * (i % 3);
    if (i < rank) before += counts_of[i];
    total += counts_of[i];
  }
  map *in = malloc((total + 1) * sizeof *in), *out = malloc((total + 1) * sizeof *out);
  for (int i = 0; i < total; ++i) in[i] = out[i] = map_of(rank, i);
  const void* from = in_place ? MPI_IN_PLACE : (void*)in;
  if (equal)
    IN_FORM(form, Reduce_scatter_block, reduce_scatter_block, from, out, count, map_type, compose_op, comm);
  else
    IN_FORM(form, Reduce_scatter, reduce_scatter, from, out, counts_of, map_type, compose_op, comm);
  for (int i = 0; i < counts_of[rank]; ++i) {
    const map want = composed(n - 1, before + i);
    CHECK(out[i].a == want.a && out[i].b == want.b, "reduce_scatter of %d, element %d", count, i);
  }
  free(in);
  free(out);
}

static void places(MPI_Comm comm) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  struct {
    double value;
    int index;
  } mine = {(rank * 7) % n == n - 1 ? 5 : -rank, rank}, top;
  MPI_Allreduce(&mine, &top, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  int want = 0;
  double best = 0;
  for (int r = 0; r < n; ++r) {
    const double v = (r * 7) % n == n - 1 ? 5 : -r;
    if (r == 0 || v > best) best = v, want = r;
  }
  CHECK(top.value == best && top.index == want, "maxloc: %g at %d", top.value, top.index);
}

/* Rounding makes the sum depend on the order, but all ranks must get the same bits. */
static void same_bits(MPI_Comm comm, int count) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  double *x = malloc(count * sizeof *x), *all = malloc((size_t)count * n * sizeof *all);
  for (int i = 0; i < count; ++i) x[i] = 1.0 / (3 + rank * 17 + i);
  MPI_Allreduce(MPI_IN_PLACE, x, count, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Allgather(x, count, MPI_DOUBLE, all, count, MPI_DOUBLE, comm);
  for (int r = 0; r < n; ++r)
    CHECK(memcmp(all + (size_t)r * count, x, count * sizeof *x) == 0, "different bits on %d", r);
  free(x);
  free(all);
}

static void test(MPI_Comm comm) {
  for (int k = 0; k < count_kinds; ++k)
    for (int form = 0; form < forms; ++form)
      for (int in_place = 0; in_place < 2; ++in_place) {
        if (form != blocking && counts[k] > 9000) continue;
        for (int kind = 0; kind < kinds; ++kind) vectors(comm, kind, counts[k], form, in_place);
        scattered(comm, counts[k] > 9000 ? 3000 : counts[k], form, in_place, 0);
        scattered(comm, counts[k] > 9000 ? 3000 : counts[k], form, in_place, 1);
      }
  places(comm);
  same_bits(comm, 11);
  same_bits(comm, 9001);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(2, MPI_UNSIGNED, &map_type);
  MPI_Type_commit(&map_type);
  MPI_Op_create(compose, 0, &compose_op);
  for_each_comm(test);
  MPI_Op_free(&compose_op);
  MPI_Type_free(&map_type);
  return finish("reductions");
}
