// SPDX-License-Identifier: Apache-2.0
// All ranks have one time, wherever they are and move: compares MPI_Wtime with the system's time of day,
// which tests of two nodes on one machine leave alone while they give each node another monotonic clock.
#include <math.h>
#include <time.h>

#include "check.h"

enum { rounds = 10, pause_ms = 150, readings = 1000 };

// On a busy machine a measurement by messages is wrong by the time that a process waits for its core.
static const double tolerance_s = 20e-3;

static double time_of_day(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/// Returns by how much MPI_Wtime is ahead of the time of day, from the fastest of many readings.
static double ahead(void) {
  double result = 0, least = INFINITY;
  for (int i = 0; i < readings; ++i) {
    const double before = time_of_day(), wtime = MPI_Wtime(), after = time_of_day();
    if (after - before >= least) continue;
    least = after - before;
    result = wtime - (before + after) / 2;
  }
  return result;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  int found = 0, *is_global = NULL;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &is_global, &found);
  CHECK(found && *is_global == 1);
  const double at_start = ahead();
  double widest = 0;
  for (int round = 0; round < rounds; ++round) {
    double mine = ahead(), least, most;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    widest = fmax(widest, most - least);
    CHECK(most - least < tolerance_s);
    CHECK(fabs(mine - at_start) < tolerance_s);
    const double before = MPI_Wtime();
    maybe_move();
    CHECK(MPI_Wtime() >= before);
    nanosleep(&(struct timespec){0, pause_ms * 1000000L}, NULL);
  }
  if (my_rank == 0) fprintf(stderr, "clocks were apart by %.1f us at most\n", widest * 1e6);
  finish("clock");
}
