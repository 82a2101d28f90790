// SPDX-License-Identifier: Apache-2.0
// Nonblocking collectives progress while ranks are at a sync point (MPI 4.1, 6.12: once all members have
// called one, it completes, whatever else they do). A broadcast goes along a tree: for each root, and each
// rank that alone waits for it before the sync point, all ranks between them may be at the sync point
// already.
#include <unistd.h>

#include "check.h"

enum { microseconds = 1000 };  // until the others have come to the sync point

static void pass_on(int root, int distance) {
  const int value = root * 1000 + distance;
  int got = my_rank == root ? value : -1;
  if (my_rank == root) usleep(microseconds);
  MPI_Request request;
  MPI_Ibcast(&got, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
  const int waits_first = my_rank == (root + distance) % rank_count;
  if (waits_first) MPI_Wait(&request, MPI_STATUS_IGNORE);
  maybe_move();
  if (!waits_first) MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(got == value);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int root = 0; root < rank_count; ++root)
    for (int distance = 0; distance < rank_count; ++distance) pass_on(root, distance);
  finish("progress");
  return 0;
}
