// SPDX-License-Identifier: Apache-2.0
// `busy [SECONDS]`: computes for minutes without a call of MPI, and prints all the while.
#include <time.h>

#include "check.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const double end = now() + number_argument(argc, argv, 1, 600);
  for (long lines = 0; now() < end; ++lines) {
    for (volatile int i = 0; i < 1000000; ++i) {
    }
    printf("rank %d is busy, line %ld\n", my_rank, lines);
    fflush(stdout);
  }
  finish("busy");
}
