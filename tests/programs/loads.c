// SPDX-License-Identifier: Apache-2.0
// Four ranks with declared loads that change from step to step, and messages around a ring:
// tests/job/programs/dump.py knows both. `loads`.
#include "check.h"

enum { steps = 3, bytes = 1000 };

static const double loads[steps][4] = {{10, 1, 2, 4}, {1, 12, 3, 5}, {7, 6, 5, 4}};

int main(int argc, char** argv) {
  begin(&argc, &argv);
  static char out[bytes], in[bytes];
  const int next = (my_rank + 1) % rank_count, before = (my_rank + rank_count - 1) % rank_count;
  for (int step = 0; step < steps; ++step) {
    for (int k = 0; k <= step; ++k)
      MPI_Sendrecv(out, bytes, MPI_CHAR, next, 0, in, bytes, MPI_CHAR, before, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    CHECK(MPIX_Load_set(loads[step][my_rank % 4]) == MPI_SUCCESS);
    maybe_move();
  }
  finish("loads");
  return 0;
}
