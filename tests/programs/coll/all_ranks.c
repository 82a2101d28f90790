/* SPDX-License-Identifier: Apache-2.0
 * Reductions on the world, on three other communicators of all ranks, and on two smaller ones: five on each,
 * so that --sync-at MPI_Allreduce makes 20 sync points. At least two ranks. */
#include "check.h"

enum { turns = 5 };

/* Makes `turns` sums over comm of the numbers 1 to n, times k: k * n * (n + 1) / 2. */
static void reduce(MPI_Comm comm) {
  int rank, n;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  for (int k = 1; k <= turns; ++k) {
    const int mine = k * (rank + 1);
    int sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == k * n * (n + 1) / 2, "sum %d of %d ranks: %d", k, n, sum);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm twin, reversed, grid, half;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  const int periodic = 1;
  MPI_Cart_create(twin, 1, &size, &periodic, 1, &grid);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  reduce(MPI_COMM_WORLD);
  reduce(twin);
  reduce(half);
  reduce(reversed);
  reduce(MPI_COMM_SELF);
  reduce(grid);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&half);
  return finish("all_ranks");
}
