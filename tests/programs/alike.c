/* SPDX-License-Identifier: Apache-2.0 */
/* `alike POINTS [declared]`: equal ranks, on PEs that may differ in speed. Each computes the same between
   sync points, some 4 ms of it, or nothing if its load is declared. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double result;

static void compute(void) {
  double x = 1;
  for (int i = 0; i < 1000000; ++i) x = 1.0 / (x + 0.5);
  result = x;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int points = atoi(argv[1]), declared = argc > 2;
  if (declared) MPIX_Load_set(1);
  for (int point = 0; point < points; ++point) {
    if (!declared) compute();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Migrate();
  }
  MPI_Finalize();
  return 0;
}
