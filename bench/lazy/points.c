/* SPDX-License-Identifier: Apache-2.0
 * points WORK POINTS: each rank does so much work, the same at each point and on each rank, meets a sync
 * point, and waits for those that began on its PE, so many times; there are no messages between PEs. Prints,
 * of the loop, the processor time of the PEs that computed, up to when the last of their own ranks was done,
 * and the time it took: "processor SECONDS" and "loop SECONDS". */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int MPI_Migrate(void);

static double processor_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t work(long amount, uint64_t x) {
  for (long i = 0; i < amount; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

typedef struct {
  double process, begin, end;
} Times;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) {
    fprintf(stderr, "usage: points WORK POINTS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm beside;
  MPI_Comm_split(MPI_COMM_WORLD, getpid(), rank, &beside);
  const long amount = atol(argv[1]), points = atol(argv[2]);
  volatile uint64_t sum = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  Times mine = {getpid(), processor_s(), 0};
  for (long point = 0; point < points; ++point) {
    sum = work(amount, sum);
    MPI_Migrate();
    MPI_Barrier(beside);
  }
  mine.end = processor_s();
  Times* const all = malloc((size_t)ranks * sizeof *all);
  MPI_Gather(&mine, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    double processor = 0;
    for (int i = 0; i < ranks; ++i) {
      double begin = all[i].begin, end = all[i].end;
      int first = 1;
      for (int j = 0; j < ranks; ++j) {
        if (all[j].process != all[i].process) continue;
        if (j < i) first = 0;
        if (all[j].begin < begin) begin = all[j].begin;
        if (all[j].end > end) end = all[j].end;
      }
      if (first) processor += end - begin;
    }
    printf("processor %.6f\nloop %.6f\n", processor, MPI_Wtime() - start);
  }
  free(all);
  MPI_Comm_free(&beside);
  MPI_Finalize();
  return 0;
}
