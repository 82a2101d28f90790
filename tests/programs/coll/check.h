/* SPDX-License-Identifier: Apache-2.0
 * What the collective tests share: each compares with a formula on every communicator size up to the world's,
 * and prints one line at the end. */
#ifndef SKEIN_TESTS_COLL_CHECK_H
#define SKEIN_TESTS_COLL_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../large_counts.h"

static int failures = 0;
static long checks = 0;

#define CHECK(condition, ...)                                        \
  do {                                                               \
    ++checks;                                                        \
    if (!(condition)) {                                              \
      if (failures++ < 5) {                                          \
        int check_rank;                                              \
        MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);                  \
        fprintf(stderr, "rank %d, line %d: ", check_rank, __LINE__); \
        fprintf(stderr, __VA_ARGS__);                                \
        fputc('\n', stderr);                                         \
      }                                                              \
    }                                                                \
  } while (0)

/* Calls test(comm) on the first 1, 2, ... world ranks, and on the world in reverse order. */
__attribute__((unused)) static void for_each_comm(void (*test)(MPI_Comm)) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int n = 1; n <= size; ++n) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, n == size ? -rank : rank, &comm);
    if (comm == MPI_COMM_NULL) continue;
    test(comm);
    MPI_Comm_free(&comm);
  }
  test(MPI_COMM_SELF);
  test(MPI_COMM_WORLD);
}

/* The forms of a call: MPI_Xyz, MPI_Ixyz, MPI_Xyz_init with two starts. */
enum { blocking, nonblocking, persistent, forms };

/* Runs a collective in one of its forms; `request` is the name that the argument lists use. */
#define IN_FORM(form, Name, Iname, ...)                        \
  do {                                                         \
    MPI_Request request;                                       \
    if ((form) == blocking) {                                  \
      MPI_##Name(__VA_ARGS__);                                 \
    } else if ((form) == nonblocking) {                        \
      MPI_I##Iname(__VA_ARGS__, &request);                     \
      MPI_Wait(&request, MPI_STATUS_IGNORE);                   \
    } else {                                                   \
      MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &request); \
      MPI_Start(&request);                                     \
      MPI_Wait(&request, MPI_STATUS_IGNORE);                   \
      MPI_Request_free(&request);                              \
    }                                                          \
  } while (0)

static int finish(const char* name) {
  int rank, all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) all = failures;
  for (int i = 1, n = (MPI_Comm_size(MPI_COMM_WORLD, &n), n); i < n; ++i) {
    int others;
    if (rank == i) MPI_Send(&failures, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank != 0) continue;
    MPI_Recv(&others, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    all += others;
  }
  if (rank == 0) printf("%s: %ld checks on rank 0, %d failures\n", name, checks, all);
  MPI_Finalize();
  return all > 0;
}

#endif
