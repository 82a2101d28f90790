// SPDX-License-Identifier: Apache-2.0
// `slowing STEPS FROM MS HELD PHASE`: steps are short, but from step FROM on each rank computes for MS
// milliseconds of processor time. The last rank has a pipe, so that it cannot move, until step HELD; if HELD
// is negative, all ranks have one for good. With a PHASE ranks compute next to nothing else, except rank 0
// and, by turns of PHASE steps, the ranks that are 3 or 4 modulo 6, which compute for 10 ms. Prints the
// computed numbers, which do not depend on where ranks are.
#include <time.h>
#include <unistd.h>

#include "check.h"

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void compute(double seconds) {
  volatile double sum = 0;
  for (const double start = processor_seconds(); processor_seconds() - start < seconds;) sum += 1;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int steps = number_argument(argc, argv, 1, 16), from = number_argument(argc, argv, 2, 1000);
  const double slow_s = 1e-3 * number_argument(argc, argv, 3, 0);
  const int held = number_argument(argc, argv, 4, 0), phase = number_argument(argc, argv, 5, 0);
  const int right = (my_rank + 1) % rank_count, left = (my_rank + rank_count - 1) % rank_count;
  int ends[2] = {-1, -1};
  if (held < 0 || (held > 0 && my_rank == rank_count - 1)) CHECK(pipe(ends) == 0);
  volatile double sum = 0;
  long state = my_rank, heard = 0, all = 0;
  for (int step = 1; step <= steps; ++step) {
    for (int i = 0; i < (phase > 0 ? 100 : 100000); ++i) sum += i;
    if (step >= from) compute(slow_s);
    if (phase > 0 && (my_rank == 0 || my_rank % 6 == 3 + (step - 1) / phase % 2)) compute(0.01);
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
