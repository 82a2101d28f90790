// SPDX-License-Identifier: Apache-2.0
// `ranks barriers|allreduces|steps N`: ranks repeat one operation N times, so that growth.py can count its
// messages. In steps the ranks of every second PE have thrice the load of others.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ranks_a_pe = 4 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 3) MPI_Abort(MPI_COMM_WORLD, 2);
  const int times = atoi(argv[2]);
  for (int i = 0; i < times; ++i) {
    int sum = 1;
    if (strcmp(argv[1], "barriers") == 0) {
      MPI_Barrier(MPI_COMM_WORLD);
    } else if (strcmp(argv[1], "allreduces") == 0) {
      MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      if (sum != size) MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
      MPIX_Load_set(rank / ranks_a_pe % 2 == 0 ? 3 : 1);
      MPI_Migrate();
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("passed\n");
  MPI_Finalize();
  return 0;
}
