// SPDX-License-Identifier: Apache-2.0
// `uneven STEPS FACTOR`: the lower half of the ranks computes FACTOR times as much as the upper half, and
// declares so, in steps that end with a reduction and a sync point. Prints the computed numbers, which do not
// depend on where ranks are.
#include "check.h"

static unsigned long long churn(unsigned long long x, long rounds) {
  for (long i = 0; i < rounds; ++i) x = x * 6364136223846793005ull + 1442695040888963407ull;
  return x;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const long steps = (long)number_argument(argc, argv, 1, 60);
  const long factor = (long)number_argument(argc, argv, 2, 4);
  const long rounds = 400000 * (my_rank < rank_count / 2 ? factor : 1);
  unsigned long long state = (unsigned long long)my_rank, all = 0;
  for (long step = 0; step < steps; ++step) {
    state = churn(state, rounds);
    MPIX_Load_set(1e-9 * (double)rounds);
    MPI_Allreduce(&state, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_BXOR, MPI_COMM_WORLD);
    state ^= all;
    MPI_Migrate();
  }
  if (my_rank == 0) printf("result %llu\n", all);
  finish("uneven");
}
