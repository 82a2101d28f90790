// SPDX-License-Identifier: Apache-2.0
// One rank writes lines, in pieces, and moves between the pieces: they must come out in order and whole.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int line = 0; line < 200; ++line) {
    if (rank == 0) printf("line %d ", line);
    MPI_Migrate();
    if (rank == 0) printf("ends\n");
    MPI_Migrate();
  }
  MPI_Finalize();
  return 0;
}
