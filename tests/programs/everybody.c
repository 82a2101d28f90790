// SPDX-License-Identifier: Apache-2.0
// `everybody`: collectives in which every rank sends to every other, one kind in each interval between LB
// steps; tests/job/programs/graph.py knows them.
#include "check.h"

enum { most = 64, piece = 512, numbers = 1024 };

int main(int argc, char** argv) {
  begin(&argc, &argv);
  static char out[most * piece], in[most * piece];
  static double addends[most * numbers], sums[numbers];
  CHECK(rank_count == most);
  MPI_Alltoall(out, piece, MPI_CHAR, in, piece, MPI_CHAR, MPI_COMM_WORLD);
  maybe_move();
  // Each rank sends only to the next two ranks.
  int counts[most] = {0}, from[most] = {0}, starts[most];
  for (int i = 0; i < most; ++i) starts[i] = i * piece;
  for (int k = 1; k <= 2; ++k) {
    counts[(my_rank + k) % most] = piece;
    from[(my_rank + most - k) % most] = piece;
  }
  MPI_Alltoallv(out, counts, starts, MPI_CHAR, in, from, starts, MPI_CHAR, MPI_COMM_WORLD);
  maybe_move();
  for (int i = 0; i < most * numbers; ++i) addends[i] = my_rank;
  MPI_Reduce_scatter_block(addends, sums, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sums[numbers - 1] == most * (most - 1) / 2);
  maybe_move();
  finish("everybody");
  return 0;
}
