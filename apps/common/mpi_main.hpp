// SPDX-License-Identifier: Apache-2.0
// The common part of main() of the MPI programs here.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace apps {

/// Reads the command line into `line` by read(words, line), which has the contract of apps::read(): on
/// process 0 first, which alone reports mistakes. Collective.
template <class Line, class Read>
std::optional<int> read_together(int argc, char** argv, int rank, Line& line, Read read) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  int status = -1;
  if (rank == 0) status = read(words, line).value_or(-1);
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (status >= 0) return status;
  if (rank != 0) read(words, line);
  return std::nullopt;
}

/// Starts MPI, reads the command line, calls run(line, rank) and ends MPI. Returns the exit status. All
/// processes throw an exception of type `Common` alike, or process 0 does as its last act: process 0 reports
/// it. Any other exception of a process ends all.
template <class Line, class Common = std::runtime_error, class Read, class Run>
int mpi_main(const char* name, int argc, char** argv, Read read, Run run) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Line line;
  int status = 0;
  if (const std::optional<int> ended = read_together(argc, argv, rank, line, read)) {
    status = *ended;
  } else {
    try {
      run(line, rank);
    } catch (const Common& error) {
      if (rank == 0) std::fprintf(stderr, "%s: %s\n", name, error.what());
      status = 1;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: process %d: %s\n", name, rank, error.what());
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Finalize();
  return status;
}

}  // namespace apps
