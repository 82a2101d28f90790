// SPDX-License-Identifier: Apache-2.0
// A job in a program that calls MPI before and after it, and meanwhile has a message on the way, which it
// receives from any source with any tag.
#include <mpi.h>

#include "tests/job/native_mpi/stops.hpp"

namespace {

using native_test::Stopper;
constexpr int elements = 40, points = 5;

int sum_of_ranks(int rank) {
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  Stopper::moves = native_test::moves_wanted(argc, argv);
  MPI_Init(&argc, &argv);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int ranks = size * (size - 1) / 2;
  EXPECT_EQUAL(sum_of_ranks(rank), ranks);

  int from_left = -1;
  MPI_Request receive;
  MPI_Irecv(&from_left, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive);
  const int status = skein::run(
      argc, argv, [](skein::Job& job) { job.array<Stopper>(elements).broadcast<&Stopper::start>(points); });
  EXPECT_EQUAL(status, 0);
  if (rank == 0) EXPECT_EQUAL(Stopper::total, Stopper::expected(elements));

  EXPECT_EQUAL(from_left, -1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  EXPECT_EQUAL(from_left, (rank + size - 1) % size);
  EXPECT_EQUAL(sum_of_ranks(rank), ranks);
  int finalized = 0;
  MPI_Finalized(&finalized);
  EXPECT(!finalized);
  MPI_Finalize();
  if (rank == 0) native_test::passed();
  return status;
}
