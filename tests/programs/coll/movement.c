/* SPDX-License-Identifier: Apache-2.0
 * Collectives that move data, with equal pieces: values are a function of (sender, receiver, index). */
#include "check.h"

static const int counts[] = {0, 1, 7, 300, 5000, 40000};
enum { count_kinds = sizeof counts / sizeof counts[0] };

static int value(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }

/* Every second int: extent 8 bytes, size 4. */
static MPI_Datatype spaced(void) {
  MPI_Datatype type;
  MPI_Type_create_resized(MPI_INT, 0, 8, &type);
  MPI_Type_commit(&type);
  return type;
}

static int* buffer(long ints) {
  int* p = malloc((ints + 1) * sizeof(int));
  for (long i = 0; i <= ints; ++i) p[i] = -7;
  return p;
}

static void bcast(MPI_Comm comm, int count, int step, MPI_Datatype type, int form) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  for (int root = 0; root < n; ++root) {
    int* data = buffer((long)count * step);
    if (rank == root)
      for (int i = 0; i < count; ++i) data[i * step] = value(root, 0, i);
    IN_FORM(form, Bcast, bcast, data, count, type, root, comm);
    for (int i = 0; i < count; ++i)
      CHECK(data[i * step] == value(root, 0, i), "bcast of %d, element %d: %d", count, i, data[i * step]);
    for (int i = 0; step == 2 && i < count; ++i) CHECK(data[2 * i + 1] == -7, "bcast wrote into a gap");
    free(data);
  }
}

static void gather_and_scatter(MPI_Comm comm, int count, int step, MPI_Datatype type, int form) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  for (int root = 0; root < n; ++root)
    for (int in_place = 0; in_place < 2; ++in_place) {
      int* mine = buffer(count);
      int* all = rank == root ? buffer((long)count * step * n) : NULL;
      const int absent = in_place && rank == root;
      for (int i = 0; i < count; ++i) mine[i] = value(rank, root, i);
      for (int i = 0; absent && i < count; ++i) all[((long)rank * count + i) * step] = mine[i];
      IN_FORM(form, Gather, gather, absent ? MPI_IN_PLACE : mine, count, MPI_INT, all, count, type, root,
              comm);
      for (int from = 0; rank == root && from < n; ++from)
        for (int i = 0; i < count; ++i) {
          const int got = all[((long)from * count + i) * step];
          CHECK(got == value(from, root, i), "gather of %d to %d from %d: %d", count, root, from, got);
        }
      for (int to = 0; rank == root && to < n; ++to)
        for (int i = 0; i < count; ++i) all[((long)to * count + i) * step] = value(root, to, i);
      IN_FORM(form, Scatter, scatter, all, count, type, absent ? MPI_IN_PLACE : mine, count, MPI_INT, root,
              comm);
      for (int i = 0; !absent && i < count; ++i)
        CHECK(mine[i] == value(root, rank, i), "scatter of %d from %d: %d", count, root, mine[i]);
      free(mine);
      free(all);
    }
}

static void allgather(MPI_Comm comm, int count, int step, MPI_Datatype type, int form) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  for (int in_place = 0; in_place < 2; ++in_place) {
    int* mine = buffer(count);
    int* all = buffer((long)count * step * n);
    for (int i = 0; i < count; ++i) {
      mine[i] = value(rank, 0, i);
      if (in_place) all[((long)rank * count + i) * step] = mine[i];
    }
    IN_FORM(form, Allgather, allgather, in_place ? MPI_IN_PLACE : mine, count, MPI_INT, all, count, type,
            comm);
    for (int from = 0; from < n; ++from)
      for (int i = 0; i < count; ++i)
        CHECK(all[((long)from * count + i) * step] == value(from, 0, i), "allgather of %d from %d", count,
              from);
    free(mine);
    free(all);
  }
}

static void alltoall(MPI_Comm comm, int count, int step, MPI_Datatype type, int form) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  for (int in_place = 0; in_place < 2; ++in_place) {
    int* out = buffer((long)count * n);
    int* in = buffer((long)count * step * n);
    for (int to = 0; to < n; ++to)
      for (int i = 0; i < count; ++i) {
        out[(long)to * count + i] = value(rank, to, i);
        if (in_place) in[((long)to * count + i) * step] = value(rank, to, i);
      }
    IN_FORM(form, Alltoall, alltoall, in_place ? MPI_IN_PLACE : out, count, MPI_INT, in, count, type, comm);
    for (int from = 0; from < n; ++from)
      for (int i = 0; i < count; ++i)
        CHECK(in[((long)from * count + i) * step] == value(from, rank, i), "alltoall of %d from %d", count,
              from);
    free(out);
    free(in);
  }
}

static void test(MPI_Comm comm) {
  MPI_Datatype every_second = spaced();
  IN_FORM(blocking, Barrier, barrier, comm);
  for (int k = 0; k < count_kinds; ++k)
    for (int form = 0; form < forms; ++form) {
      if (form != blocking && counts[k] > 5000) continue;
      for (int step = 1; step <= 2; ++step) {
        MPI_Datatype type = step == 1 ? MPI_INT : every_second;
        bcast(comm, counts[k], step, type, form);
        gather_and_scatter(comm, counts[k] > 5000 ? 6000 : counts[k], step, type, form);
        allgather(comm, counts[k], step, type, form);
        alltoall(comm, counts[k] > 5000 ? 6000 : counts[k], step, type, form);
      }
    }
  MPI_Type_free(&every_second);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for_each_comm(test);
  return finish("movement");
}
