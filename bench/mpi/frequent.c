// SPDX-License-Identifier: Apache-2.0
// `frequent SECONDS [MICROSECONDS]`, for bench/sync_at.sh: reductions of 8 bytes over the world for about
// SECONDS, between which each rank computes for MICROSECONDS (default 1). Prints nanoseconds of processor
// time of rank 0's process from one to the next, steps of balancing included.
#include <time.h>

#include "timing.h"

static volatile double sink;

static double compute(long amount) {
  double x = 1;
  for (long i = 0; i < amount; ++i) x = x * 1.0000001 + 1e-9;
  return x;
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double timed(long count, long amount) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = processor_seconds();
  double mine = 0, all = 0;
  for (long i = 0; i < count; ++i) {
    mine = compute(amount);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  sink = all;
  double seconds = processor_seconds() - start;
  MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return seconds;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double seconds = argc > 1 ? atof(argv[1]) : 1, microseconds = argc > 2 ? atof(argv[2]) : 1;
  // A turn of the loop takes a multiplication and an addition, about 2 ns.
  const long amount = (long)(microseconds * 500);
  long count = 1000;
  const double trial = timed(count, amount);
  count = (long)((double)count * seconds / trial) + 1;
  print_row("frequent", 8, timed(count, amount) / (double)count);
  MPI_Finalize();
  return 0;
}
