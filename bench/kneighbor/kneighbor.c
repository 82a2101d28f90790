/* SPDX-License-Identifier: Apache-2.0
 *
 * kneighbor [STEPS [SPREAD [WORK [BYTES]]]]: the micro-benchmark of Bhatele et al. 2012. The ranks form a
 * ring. In each step every rank exchanges BYTES (default 16384) with the seven before and the seven behind
 * it, and computes WORK (default 200000) additions times a factor that rises along the ring from 1 - SPREAD
 * to 1 + SPREAD (default 0.5). Each step ends with a sync point. Rank 0 prints the milliseconds of a step,
 * the median of the second half of the steps.
 *
 * To be run with 8 ranks a PE, and at least 15. What is received and summed up is checked: a run that moves
 * ranks wrongly ends with status 1.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTNERS = 14, HALF = PARTNERS / 2 };

/* Additions that depend on each other, so that no compiler can shorten them. */
static double compute(long additions) {
  volatile double sum = 0;
  for (long k = 0; k < additions; ++k) sum = sum + 1;
  return sum;
}

static int partner(int rank, int ranks, int k) {
  const int distance = k < HALF ? k - HALF : k - HALF + 1;
  return (rank + distance + ranks) % ranks;
}

/* The tag of partner k's messages to this rank is this rank's place among the partner's partners. */
static void exchange(int rank, int ranks, int step, int bytes, char* sent, char* received) {
  MPI_Request requests[2 * PARTNERS];
  memset(sent, (rank + step) & 127, (size_t)bytes);
  for (int k = 0; k < PARTNERS; ++k)
    MPI_Irecv(received + (size_t)k * (size_t)bytes, bytes, MPI_CHAR, partner(rank, ranks, k), k,
              MPI_COMM_WORLD, &requests[k]);
  for (int k = 0; k < PARTNERS; ++k)
    MPI_Isend(sent, bytes, MPI_CHAR, partner(rank, ranks, k), PARTNERS - 1 - k, MPI_COMM_WORLD,
              &requests[PARTNERS + k]);
  MPI_Waitall(2 * PARTNERS, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < PARTNERS; ++k) {
    const char* const message = received + (size_t)k * (size_t)bytes;
    const char expected = (char)((partner(rank, ranks, k) + step) & 127);
    if (message[0] != expected || message[bytes - 1] != expected) {
      fprintf(stderr, "kneighbor: rank %d, step %d: partner %d sent %d, not %d\n", rank, step, k, message[0],
              expected);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? atoi(argv[1]) : 40;
  const double spread = argc > 2 ? atof(argv[2]) : 0.5;
  const double work = argc > 3 ? atof(argv[3]) : 200000;
  const int bytes = argc > 4 ? atoi(argv[4]) : 16384;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks <= PARTNERS || steps < 2 || bytes < 1 || spread < 0 || spread > 1) {
    if (rank == 0)
      fprintf(stderr, "usage: kneighbor [STEPS [SPREAD [WORK [BYTES]]]], at least 15 ranks and 2 steps\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const double place = (double)rank / (ranks - 1);
  const long additions = (long)(work * (1 + spread * (2 * place - 1)));
  char* const sent = malloc((size_t)bytes);
  char* const received = malloc((size_t)bytes * PARTNERS);
  double* const times = malloc((size_t)steps * sizeof *times);
  for (int step = 0; step < steps; ++step) {
    const double start = MPI_Wtime();
    exchange(rank, ranks, step, bytes, sent, received);
    if (compute(additions) != (double)additions) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    times[step] = MPI_Wtime() - start;
    MPI_Migrate();
  }
  qsort(times + steps / 2, (size_t)(steps - steps / 2), sizeof *times, by_value);
  if (rank == 0) printf("%.3f ms a step\n", times[steps / 2 + (steps - steps / 2) / 2] * 1e3);
  free(times);
  free(received);
  free(sent);
  MPI_Finalize();
  return 0;
}
