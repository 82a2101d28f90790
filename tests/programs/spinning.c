// SPDX-License-Identifier: Apache-2.0
// `spinning STEPS PES MS...`: in each step, and once more after the last, rank r spins for as many
// milliseconds as the r-th number says. Steps end with a sync point. The clock measures the actual time, so
// that a busy machine changes nothing; rank 0 prints how long the fullest of PES PEs, with ranks in blocks of
// one size, would have spun without moves.
#include "check.h"

enum { most_intervals = 100, most_ranks = 64 };

static double spun[most_intervals];
static double all[most_ranks][most_intervals];

static double spin(double s) {
  const double start = MPI_Wtime();
  double now = start;
  while (now < start + s) now = MPI_Wtime();
  return now - start;
}

static double without_moves(int intervals, int pes) {
  double sum = 0;
  for (int k = 0; k < intervals; ++k) {
    double most = 0;
    for (int pe = 0; pe < pes; ++pe) {
      double on_pe = 0;
      for (int r = pe * rank_count / pes; r < (pe + 1) * rank_count / pes; ++r) on_pe += all[r][k];
      if (on_pe > most) most = on_pe;
    }
    sum += most;
  }
  return sum;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int steps = number_argument(argc, argv, 1, 1), pes = number_argument(argc, argv, 2, 1);
  const double s = 1e-3 * number_argument(argc, argv, 3 + my_rank, 0);
  CHECK(steps < most_intervals && rank_count <= most_ranks && rank_count % pes == 0);
  for (int step = 0; step < steps; ++step) {
    spun[step] = spin(s);
    maybe_move();
  }
  spun[steps] = spin(s);
  MPI_Gather(spun, most_intervals, MPI_DOUBLE, all, most_intervals, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (my_rank == 0) printf("without moves %.4f s\n", without_moves(steps + 1, pes));
  finish("spinning");
}
