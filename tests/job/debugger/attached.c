// SPDX-License-Identifier: Apache-2.0
// Rank 1 prints which process it is in after a move, and waits there for a debugger until the named file
// exists.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int counter;

static void wait_for(const char* file) {
  char process[32] = "";
  if (readlink("/proc/self", process, sizeof process - 1) > 0) printf("process %s\n", process);
  fflush(stdout);
  while (access(file, F_OK) != 0) usleep(1000);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  counter = 100 + rank;
  MPI_Migrate();
  if (rank == 1) wait_for(argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
