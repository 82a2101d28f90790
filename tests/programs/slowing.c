// SPDX-License-Identifier: Apache-2.0
// `slowing STEPS FROM MS HELD`: steps are short, but from step FROM on each rank computes MS milliseconds.
// The last rank has a pipe, so that it cannot move, until step HELD; if that is below 0, all ranks have one
// for good. Prints what was computed, which does not depend on where ranks are.
#include <time.h>
#include <unistd.h>

#include "check.h"

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int steps = number_argument(argc, argv, 1, 16), from = number_argument(argc, argv, 2, 1000);
  const double spin_s = 1e-3 * number_argument(argc, argv, 3, 0);
  const int held = number_argument(argc, argv, 4, 0);
  const int right = (my_rank + 1) % rank_count, left = (my_rank + rank_count - 1) % rank_count;
  int ends[2] = {-1, -1};
  if (held < 0 || (held > 0 && my_rank == rank_count - 1)) CHECK(pipe(ends) == 0);
  volatile double sum = 0;
  long state = my_rank, heard = 0, all = 0;
  for (int step = 1; step <= steps; ++step) {
    for (int i = 0; i < 100000; ++i) sum += i;
    if (step >= from)
      for (const double start = seconds(); seconds() - start < spin_s;) sum += 1;
    MPI_Sendrecv(&state, 1, MPI_LONG, right, 1, &heard, 1, MPI_LONG, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    state = 3 * state + heard;
    state %= 1000003;
    if (step == held && ends[0] >= 0) CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
    MPI_Migrate();
  }
  MPI_Allreduce(&state, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (my_rank == 0) printf("result %ld\n", all);
  finish("slowing");
}
