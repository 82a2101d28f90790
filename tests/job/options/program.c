// SPDX-License-Identifier: Apache-2.0
// Shows what options of `skein run` change, as far as a program can see it; and is a job that simulations of
// it tell apart: loads that change from step to step, the first of several messages, moves, messages, a
// collective.
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

static void compute(int units) {
  for (int i = 0; i < units * 40000; ++i) sink += 1e-6 * i;
}

int main(int argc, char** argv) {
  int rank, size, steps = argc > 1 ? atoi(argv[1]) : 36;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  char* const kept = malloc(1 << 16);
  for (int step = 0; step < steps; ++step) {
    char message[100] = {0};
    compute(rank == 0 ? 1 : (size - rank) + (rank * 7 + step * 3) % 5);
    kept[step] = 1;
    // On one PE the first message comes from the rank that computed most; with a PE for each rank, from the
    // last.
    for (int from = 1; rank == 0 && from < size; ++from) {
      MPI_Request request;
      MPI_Irecv(message, sizeof message, MPI_BYTE, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      compute(2);
    }
    if (rank != 0) MPI_Send(message, sizeof message, MPI_BYTE, 0, step, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Migrate();
  }
  if (rank == 0) printf("ranks %d processors %d variable %s\n", size, CPU_COUNT(&set), getenv("TEST_SAID"));
  free(kept);
  MPI_Finalize();
}
