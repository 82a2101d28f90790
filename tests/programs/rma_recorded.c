// SPDX-License-Identifier: Apache-2.0
// One-sided communication whose recording is known (tests/job/trace/one_sided.py), in a ring of three ranks.
#include "check.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(rank_count == 3);
  const int right = (my_rank + 1) % 3, left = (my_rank + 2) % 3;
  long memory[4] = {0, 0, 0, 0}, mine = 10 + my_rank;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int round = 0; round < 2; round++) {
    MPI_Win_fence(0, win);
    MPI_Put(&mine, 1, MPI_LONG, right, 0, 1, MPI_LONG, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    CHECK(memory[0] == 10 + left);
    MPI_Group all, to, from;
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &right, &to);
    MPI_Group_incl(all, 1, &left, &from);
    MPI_Win_post(from, 0, win);
    maybe_move();
    MPI_Win_start(to, 0, win);
    MPI_Accumulate(&mine, 1, MPI_LONG, right, 1, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    CHECK(memory[1] == (round + 1) * (10 + left));
    MPI_Group_free(&all);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
    MPI_Request request;
    MPI_Rput(&mine, 1, MPI_LONG, right, 2, 1, MPI_LONG, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock(right, win);
  }
  MPI_Win_free(&win);
  finish("rma_recorded");
  return 0;
}
