// SPDX-License-Identifier: Apache-2.0
// Shared by the programs that jobs run. Each checks itself against formulas, and on rank 0 prints one line
// that is the same wherever its ranks run. A failed check ends the job.
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "large_counts.h"

static int my_rank = -1;
static int rank_count = 0;

#define CHECK(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      fprintf(stderr, "%s:%d: rank %d: not so: %s\n", __FILE__, __LINE__, my_rank, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 3);                                                             \
    }                                                                                           \
  } while (0)

static inline void begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
}

/// Returns the number at `position` of the command line, or `otherwise`.
static inline int number_argument(int argc, char** argv, int position, int otherwise) {
  return argc > position ? atoi(argv[position]) : otherwise;
}

/// Returns the error class of an MPI function's result.
static inline int class_of(int code) {
  int error_class;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/// Passes a sync point; every rank may be elsewhere afterwards.
static inline void maybe_move(void) { CHECK(MPI_Migrate() == MPI_SUCCESS); }

/// Prints that the program passed: MPI_Finalize ends once all ranks have come to it, so none has failed a
/// check.
static inline void finish(const char* name) {
  MPI_Finalize();
  if (my_rank == 0) printf("%s: all as it should be\n", name);
}
