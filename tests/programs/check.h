// SPDX-License-Identifier: Apache-2.0
// What the programs that jobs run have in common. Each checks itself against formulas and prints, on rank 0,
// one line that is the same wherever its ranks run. A failed check ends the job.
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

/// The number that the command line has at `position`, or `otherwise`.
static inline int number_argument(int argc, char** argv, int position, int otherwise) {
  return argc > position ? atoi(argv[position]) : otherwise;
}

/// The error class of what an MPI function returned.
static inline int class_of(int code) {
  int error_class;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/// Every rank may be elsewhere afterwards.
static inline void maybe_move(void) { CHECK(MPI_Migrate() == MPI_SUCCESS); }

/// MPI_Finalize ends when all ranks have come to it: none has failed a check.
static inline void finish(const char* name) {
  MPI_Finalize();
  if (my_rank == 0) printf("%s: all as it should be\n", name);
}
