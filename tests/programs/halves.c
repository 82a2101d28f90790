// SPDX-License-Identifier: Apache-2.0
// halves N: the world is divided into two halves of different sizes, each of which adds up its ranks N times;
// the halves never meet.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int times = argc > 1 ? atoi(argv[1]) : 0;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int boundary = size / 2 - 1;
  const int upper = rank >= boundary;
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
  const int expected = upper ? (size - boundary) * (boundary + size - 1) / 2 : boundary * (boundary - 1) / 2;
  int failures = 0;
  for (int i = 0; i < times; ++i) {
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    failures += sum != expected;
  }
  if (failures) printf("rank %d: %d sums are wrong\n", rank, failures);
  if (rank == 0) printf("done\n");
  MPI_Comm_free(&half);
  MPI_Finalize();
  return failures != 0;
}
