// SPDX-License-Identifier: Apache-2.0
// input stream, or input getline: acts like input.c, by std::cin.
#include <mpi.h>

#include <iostream>
#include <string>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool by_lines = argc > 1 && std::string(argv[1]) == "getline";
  std::ios::sync_with_stdio(false);
  int rank, going_on = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long count = 0, sum = 0;
  while (going_on) {
    for (int i = 0; i < 100 && going_on; ++i) {
      long number = 0;
      std::string line;
      if (!by_lines) std::cin >> number;
      if (by_lines && std::getline(std::cin, line)) number = std::stol(line);
      going_on = std::cin ? 1 : 0;
      if (!going_on) break;
      ++count;
      sum += number;
    }
    MPI_Bcast(&going_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) std::cout << count << " numbers, sum " << sum << std::endl;
  if (rank != 0 && count != 0) std::cout << "rank " << rank << " has read rank 0's numbers" << std::endl;
  MPI_Finalize();
}
