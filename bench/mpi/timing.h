// SPDX-License-Identifier: Apache-2.0
// Takes the times of this folder's programs. They are plain MPI, compiled once with the MPI underneath and
// once with Skein's wrapper.
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { timing_batches = 5 };

/// Returns the seconds from one barrier to the next with `count` calls between them, as rank 0 sees it, on
/// all ranks.
static inline double timed_batch(void (*call)(void*), void* with, long count) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (long i = 0; i < count; ++i) call(with);
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - start;
  MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return seconds;
}

/// Returns the seconds of a call that all ranks make: of several batches of about `batch_seconds` the
/// fastest, as other work of the machine can only slow one down.
static inline double seconds_each(void (*call)(void*), void* with, double batch_seconds) {
  long count = 1;
  timed_batch(call, with, count);
  while (timed_batch(call, with, count) < batch_seconds / 2 && count < 1000000) count *= 2;
  double best = 1e9;
  for (int batch = 0; batch < timing_batches; ++batch) {
    const double each = timed_batch(call, with, count) / (double)count;
    if (each < best) best = each;
  }
  return best;
}

/// Prints a line: the measured operation, in words without spaces, and nanoseconds.
static inline void print_row(const char* what, size_t bytes, double seconds) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%s %zu %.1f\n", what, bytes, seconds * 1e9);
}

/// Returns memory that has been written to.
static inline char* touched(size_t bytes) {
  char* const memory = malloc(bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  memset(memory, 0, bytes);
  return memory;
}

/// Ends the job if a result is wrong: fast and wrong has no time.
static inline void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "wrong result: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
