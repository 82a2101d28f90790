// SPDX-License-Identifier: Apache-2.0
// Ranks communicate and move inside parallel regions, so that regions of several ranks of a PE are open at a
// time: the OpenMP library's state of a region must be the rank's.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, sum = 0, in_region = 0, threads = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  omp_set_num_threads(4);
  for (int step = 0; step < 50; ++step) {
#pragma omp parallel
    {
#pragma omp master
      {
        const int mine = rank + step;
        int total = 0;
        MPI_Allreduce(&mine, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Migrate();
        in_region += omp_get_level();
        threads += omp_get_num_threads();
        sum += total;
      }
#pragma omp barrier
#pragma omp for
      for (int i = 0; i < 8; ++i) {
#pragma omp atomic
        ++sum;
      }
    }
  }
  // Over 50 steps: size * step, the sum of the ranks, and 8 from the loop.
  const int expected = size * (50 * 49 / 2) + 50 * (size * (size - 1) / 2) + 50 * 8;
  const int right = sum == expected && in_region == 50 && threads == 50;
  if (!right)
    fprintf(stderr, "rank %d: sum %d for %d, level %d, threads %d\n", rank, sum, expected, in_region,
            threads);
  int all_right = 0;
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (rank == 0) printf("regions %s\n", all_right ? "kept" : "lost");
  MPI_Finalize();
  return !all_right;
}
