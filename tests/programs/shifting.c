/* SPDX-License-Identifier: Apache-2.0
 * shifting ROUNDS STAY MICROSECONDS: in each round each rank computes for MICROSECONDS times a power of
 * three, which differs between ranks and goes on to the next rank every STAY rounds; exchanges messages; and
 * meets a sync point. So decisions of a strategy by load do not hang on a percent. */
#include "compute.h"

int MPI_Migrate(void);

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 12), stay = number_argument(argc, argv, 2, 3);
  const int length = number_argument(argc, argv, 3, 50);
  const int left = (my_rank + rank_count - 1) % rank_count, right = (my_rank + 1) % rank_count;
  char in[20000], out[20000] = {0};
  for (int round = 0; round < rounds; ++round) {
    double times = 1;
    for (int i = (my_rank + round / stay) % rank_count; i > 0; --i) times *= 3;
    compute_for(length * times);
    MPI_Sendrecv(out, sizeof out, MPI_BYTE, right, 1, in, sizeof in, MPI_BYTE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 8, MPI_BYTE, left, 2, in, 8, MPI_BYTE, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Migrate();
  }
  if (my_rank == 0) printf("shifting\n");
  MPI_Finalize();
  return 0;
}
