/* SPDX-License-Identifier: Apache-2.0
 * Collectives with counts and displacements by rank: pieces of different sizes, some empty, in reverse order.
 */
#include "check.h"

static int value(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }
/* Returns how many ints rank `from` has for rank `to`. */
static int length(int from, int to, int scale) { return (from * 5 + to * 3) % 4 * scale; }

/* Lays out pieces of the given lengths, the last one first, with a gap of one int after each. */
static int* lay_out(int n, const count_type* lengths, place_type* starts) {
  int at = 0;
  for (int i = n - 1; i >= 0; --i) {
    starts[i] = at;
    at += lengths[i] + 1;
  }
  int* data = malloc((at + 1) * sizeof(int));
  for (int i = 0; i <= at; ++i) data[i] = -7;
  return data;
}

static void to_and_from_root(MPI_Comm comm, int scale, int form, int in_place) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  count_type lengths[n];
  place_type starts[n];
  for (int root = 0; root < n; ++root) {
    for (int i = 0; i < n; ++i) lengths[i] = length(i, root, scale);
    int* all = lay_out(n, lengths, starts);
    const int count = lengths[rank], absent = in_place && rank == root;
    int* mine = malloc((count + 1) * sizeof(int));
    for (int i = 0; i < count; ++i) {
      mine[i] = value(rank, root, i);
      if (absent) all[starts[rank] + i] = mine[i];
    }
    IN_FORM(form, Gatherv, gatherv, absent ? MPI_IN_PLACE : mine, count, MPI_INT, all, lengths, starts,
            MPI_INT, root, comm);
    for (int from = 0; rank == root && from < n; ++from) {
      for (int i = 0; i < lengths[from]; ++i)
        CHECK(all[starts[from] + i] == value(from, root, i), "gatherv from %d to %d", from, root);
      CHECK(all[starts[from] + lengths[from]] == -7, "gatherv wrote into a gap");
    }
    for (int to = 0; to < n; ++to)
      for (int i = 0; i < lengths[to]; ++i) all[starts[to] + i] = rank == root ? value(root, to, i) : 0;
    IN_FORM(form, Scatterv, scatterv, all, lengths, starts, MPI_INT, absent ? MPI_IN_PLACE : mine, count,
            MPI_INT, root, comm);
    for (int i = 0; !absent && i < count; ++i)
      CHECK(mine[i] == value(root, rank, i), "scatterv from %d", root);
    free(mine);
    free(all);
  }
}

static void to_all(MPI_Comm comm, int scale, int form, int in_place) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  count_type lengths[n];
  place_type starts[n];
  for (int i = 0; i < n; ++i) lengths[i] = length(i, 1, scale);
  int* all = lay_out(n, lengths, starts);
  const int count = lengths[rank];
  int* mine = malloc((count + 1) * sizeof(int));
  for (int i = 0; i < count; ++i) {
    mine[i] = value(rank, 0, i);
    if (in_place) all[starts[rank] + i] = mine[i];
  }
  IN_FORM(form, Allgatherv, allgatherv, in_place ? MPI_IN_PLACE : mine, count, MPI_INT, all, lengths, starts,
          MPI_INT, comm);
  for (int from = 0; from < n; ++from) {
    for (int i = 0; i < lengths[from]; ++i)
      CHECK(all[starts[from] + i] == value(from, 0, i), "allgatherv from %d", from);
    CHECK(all[starts[from] + lengths[from]] == -7, "allgatherv wrote into a gap");
  }
  free(mine);
  free(all);
}

/* Returns the length from a to b; in place it must be the same both ways. */
static int mutual(int a, int b, int scale, int in_place) {
  return in_place && a > b ? length(b, a, scale) : length(a, b, scale);
}

static void among_all(MPI_Comm comm, int scale, int form, int in_place, int by_type) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  count_type out_lengths[n], in_lengths[n];
  place_type out_starts[n], in_starts[n];
  for (int i = 0; i < n; ++i) {
    out_lengths[i] = mutual(rank, i, scale, in_place);
    in_lengths[i] = mutual(i, rank, scale, in_place);
  }
  int* out = lay_out(n, out_lengths, out_starts);
  int* in = lay_out(n, in_lengths, in_starts);
  for (int to = 0; to < n; ++to)
    for (int i = 0; i < out_lengths[to]; ++i) {
      out[out_starts[to] + i] = value(rank, to, i);
      if (in_place) in[in_starts[to] + i] = value(rank, to, i);
    }
  if (by_type) { /* displacements in bytes; odd ranks are sent one instance of a derived type */
    MPI_Datatype out_types[n], in_types[n];
    count_type out_counts[n];
    place_type out_bytes[n], in_bytes[n];
    for (int i = 0; i < n; ++i) {
      out_types[i] = in_types[i] = MPI_INT;
      out_counts[i] = out_lengths[i];
      out_bytes[i] = 4 * out_starts[i];
      in_bytes[i] = 4 * in_starts[i];
      if (i % 2 == 0 || in_place) continue;
      MPI_Type_contiguous(out_lengths[i], MPI_INT, &out_types[i]);
      MPI_Type_commit(&out_types[i]);
      out_counts[i] = 1;
    }
    IN_FORM(form, Alltoallw, alltoallw, in_place ? MPI_IN_PLACE : out, out_counts, out_bytes, out_types, in,
            in_lengths, in_bytes, in_types, comm);
    for (int i = 0; i < n; ++i)
      if (out_types[i] != MPI_INT) MPI_Type_free(&out_types[i]);
  } else {
    IN_FORM(form, Alltoallv, alltoallv, in_place ? MPI_IN_PLACE : out, out_lengths, out_starts, MPI_INT, in,
            in_lengths, in_starts, MPI_INT, comm);
  }
  for (int from = 0; from < n; ++from) {
    for (int i = 0; i < in_lengths[from]; ++i)
      CHECK(in[in_starts[from] + i] == value(from, rank, i), "alltoallv from %d", from);
    CHECK(in[in_starts[from] + in_lengths[from]] == -7, "alltoallv wrote into a gap");
  }
  free(out);
  free(in);
}

static void test(MPI_Comm comm) {
  const int scales[] = {1, 200, 9000};
  for (int s = 0; s < 3; ++s)
    for (int form = 0; form < forms; ++form)
      for (int in_place = 0; in_place < 2; ++in_place) {
        to_and_from_root(comm, scales[s], form, in_place);
        to_all(comm, scales[s], form, in_place);
        among_all(comm, scales[s], form, in_place, 0);
        among_all(comm, scales[s], form, in_place, 1);
      }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for_each_comm(test);
  return finish("counted");
}
