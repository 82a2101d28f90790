// SPDX-License-Identifier: Apache-2.0
// Computes 10 times for rank + 1 milliseconds of processor time, and may move in between. events.sh knows
// therefore what perf::TASK-CLOCK, in nanoseconds, counts at least.
#include <time.h>

#include "check.h"

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int step = 0; step < 10; ++step) {
    const double start = processor_seconds();
    while (processor_seconds() - start < 1e-3 * (my_rank + 1)) {
    }
    maybe_move();
  }
  finish("events");
}
