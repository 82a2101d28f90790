/* SPDX-License-Identifier: Apache-2.0 */
/* Very many ranks: each sends to the next around a ring, through a pointer to a function, at sync points
   between which it may have moved, and calls libraries of its own, whose code is mapped separately; rank 0
   prints how many mappings its process has. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int mappings(void) {
  FILE* const file = fopen("/proc/self/maps", "r");
  int lines = 0;
  for (int c; (c = fgetc(file)) != EOF;) lines += c == '\n';
  fclose(file);
  return lines;
}

static int (*volatile send)(const void*, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;
static long state = 1;

int part_1(void);
int part_2(void);
int part_3(void);

static void go_on(int rank) { state = state * 31 + rank; }
static void (*volatile step)(int) = go_on;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int points = atoi(argv[1]);
  long expected = 1;
  for (int point = 0; point < points; ++point) {
    int got = -1;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &request);
    send(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (got != (rank + ranks - 1) % ranks) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Barrier(MPI_COMM_WORLD);
    step(rank);
    if (part_1() != point + 1 || part_2() != point + 1 || part_3() != point + 1) MPI_Abort(MPI_COMM_WORLD, 4);
    expected = expected * 31 + rank;
  }
  if (state != expected) MPI_Abort(MPI_COMM_WORLD, 3);
  double mine = rank, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, sum %.0f, %d mappings\n", ranks, sum, mappings());
  MPI_Finalize();
  return 0;
}
