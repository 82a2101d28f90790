/* SPDX-License-Identifier: Apache-2.0
 * A wrong program: rank 2 calls another collective than the others, or (with an argument) rank 1 another
 * count. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, x[2] = {1, 2}, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1)
    MPI_Bcast(x, rank == 1 ? 2 : 1, MPI_INT, 0, MPI_COMM_WORLD);
  else if (rank == 2)
    MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Allreduce(x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
