// SPDX-License-Identifier: Apache-2.0
// `loads`: four ranks with declared loads and positions that change from step to step, and messages around a
// ring; tests/job/programs/dump.py knows them.
#include <math.h>

#include "check.h"

enum { steps = 3, bytes = 1000 };

static const double loads[steps][4] = {{10, 1, 2, 4}, {1, 12, 3, 5}, {7, 6, 5, 4}};

// In the first step one rank has no position, so the snapshot has none.
static void declare_positions(int step) {
  if (step == 0 && my_rank == 3) return;
  CHECK(MPIX_Position_set(my_rank + 10 * step, -my_rank, 0.5) == MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK(class_of(MPIX_Position_set(0, NAN, 0)) == MPI_ERR_ARG);
  CHECK(class_of(MPIX_Position_set(1e300, 0, 0)) == MPI_ERR_ARG);
  CHECK(class_of(MPIX_Load_set(-1)) == MPI_ERR_ARG);
  CHECK(class_of(MPIX_Load_set(NAN)) == MPI_ERR_ARG);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  static char out[bytes], in[bytes];
  const int next = (my_rank + 1) % rank_count, before = (my_rank + rank_count - 1) % rank_count;
  for (int step = 0; step < steps; ++step) {
    for (int k = 0; k <= step; ++k)
      MPI_Sendrecv(out, bytes, MPI_CHAR, next, 0, in, bytes, MPI_CHAR, before, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    CHECK(MPIX_Load_set(loads[step][my_rank % 4]) == MPI_SUCCESS);
    declare_positions(step);
    maybe_move();
  }
  finish("loads");
  return 0;
}
