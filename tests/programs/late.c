// SPDX-License-Identifier: Apache-2.0
// `late STEPS ALONE`: the first half of the ranks computes four times as much as the second, and each rank
// speaks only with its neighbours, so that some are ahead of others at their sync points; if ALONE is not 0,
// it speaks with none before the end. A rank's position is its number. Prints the computed numbers, which do
// not depend on where ranks are.
#include "check.h"

static unsigned long long churn(unsigned long long x, long rounds) {
  for (long i = 0; i < rounds; ++i) x = x * 6364136223846793005ull + 1442695040888963407ull;
  return x;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const long steps = (long)number_argument(argc, argv, 1, 60);
  const int is_alone = number_argument(argc, argv, 2, 0);
  const long rounds = 20000 * (my_rank < rank_count / 2 ? 4 : 1);
  const int left = (my_rank + rank_count - 1) % rank_count, right = (my_rank + 1) % rank_count;
  unsigned long long state = (unsigned long long)my_rank, heard = 0, all = 0;
  MPIX_Position_set(my_rank, 0, 0);
  for (long step = 0; step < steps; ++step) {
    state = churn(state, rounds);
    MPIX_Load_set(1e-9 * (double)rounds);
    if (!is_alone)
      MPI_Sendrecv(&state, 1, MPI_UNSIGNED_LONG_LONG, right, 1, &heard, 1, MPI_UNSIGNED_LONG_LONG, left, 1,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    state ^= heard;
    MPI_Migrate();
  }
  state *= 2 * (unsigned long long)my_rank + 1;
  MPI_Allreduce(&state, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_BXOR, MPI_COMM_WORLD);
  if (my_rank == 0) printf("result %llu\n", all);
  finish("late");
}
