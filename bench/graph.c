// SPDX-License-Identifier: Apache-2.0
// graph: ranks are the vertices of a random graph and exchange messages of 8 B to 128 KiB with their
// neighbours, some six each, in every step; their computing differs by up to eight times. For
// bench/replay.sh: nothing in it repeats from rank to rank.
//
// usage: graph [STEPS]
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { mean_degree = 6, sizes = 15, largest = 8 << (sizes - 1), loop = 20000, loads = 8, sum_every = 10 };

// Returns the same number on every rank (splitmix64).
static uint64_t drawn(uint64_t a, uint64_t b) {
  uint64_t x = (a << 32 | b) + 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

static uint64_t edge(int a, int b) { return drawn((uint64_t)(a < b ? a : b), (uint64_t)(a < b ? b : a)); }

int main(int argc, char** argv) {
  int ranks, me, degree = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const int steps = argc > 1 ? atoi(argv[1]) : 40;
  int* const peers = calloc((size_t)ranks, sizeof *peers);
  for (int other = 0; other < ranks; ++other)
    if (other != me && (ranks <= mean_degree || edge(me, other) % (uint64_t)(ranks - 1) < mean_degree))
      peers[degree++] = other;
  char* const out = calloc(1, largest);
  char* const in = calloc((size_t)degree + 1, largest);
  MPI_Request* const requests = calloc(2 * (size_t)degree + 1, sizeof *requests);
  double value = me, sum = 0;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < degree; ++i)
      MPI_Irecv(in + (size_t)i * largest, largest, MPI_BYTE, peers[i], 0, MPI_COMM_WORLD, &requests[i]);
    const uint64_t load = 1 + drawn((uint64_t)me, 1u << 31) % loads;
    for (uint64_t i = 1; i < loop * load; ++i) value += 1e-6 / (double)i;
    for (int i = 0; i < degree; ++i)
      MPI_Isend(out, 8 << edge(me, peers[i]) / 64 % sizes, MPI_BYTE, peers[i], 0, MPI_COMM_WORLD,
                &requests[degree + i]);
    // Takes messages one by one as they come, with some work for each; or all at once.
    for (int i = 0; me % 2 && i < degree; ++i) {
      int which;
      MPI_Waitany(degree, requests, &which, MPI_STATUS_IGNORE);
      for (int k = 1; k < loop / 8; ++k) value += 1e-6 / k;
    }
    MPI_Waitall(2 * degree, requests, MPI_STATUSES_IGNORE);
    if (step % sum_every == 0) MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (me == 0) printf("%.6f\n", sum);
  MPI_Finalize();
}
