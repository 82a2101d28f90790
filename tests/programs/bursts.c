/* SPDX-License-Identifier: Apache-2.0
 * bursts ROUNDS MICROSECONDS: each rank computes so long and twice as long by turns, between all kinds of
 * calls, and meets a sync point after each round. */
#include "compute.h"

int MPI_Migrate(void);

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 20), length = number_argument(argc, argv, 2, 100);
  const int left = (my_rank + rank_count - 1) % rank_count, right = (my_rank + 1) % rank_count;
  char in[64], out[64] = {0};
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2];
    MPI_Irecv(in, 64, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[0]);
    compute_for(length * (1 + (my_rank + round) % 2));
    MPI_Isend(out, 64, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[1]);
    compute_for(length);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    int flag = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    compute_for(length);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Migrate();
  }
  if (my_rank == 0) printf("bursts\n");
  MPI_Finalize();
  return 0;
}
