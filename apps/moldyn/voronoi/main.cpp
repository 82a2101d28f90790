// SPDX-License-Identifier: Apache-2.0
// moldyn_voronoi: molecular dynamics of a metal wire, an MPI program that keeps its own decomposition and
// moves its own work. See ../README.md.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>

#include "simulation.hpp"

namespace moldyn {
namespace {

/// Process 0 reads first, and alone tells mistakes. Collective.
std::optional<int> read_together(int argc, char** argv, int rank, VoronoiCommandLine& line) {
  int processes = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const std::vector<std::string> words(argv + 1, argv + argc);
  int status = -1;
  if (rank == 0) status = read(words, processes, line).value_or(-1);
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (status >= 0) return status;
  if (rank != 0) read(words, processes, line);
  return std::nullopt;
}

}  // namespace
}  // namespace moldyn

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  moldyn::VoronoiCommandLine line;
  if (const std::optional<int> ended = moldyn::read_together(argc, argv, rank, line)) {
    MPI_Finalize();
    return *ended;
  }
  try {
    moldyn::Simulation(MPI_COMM_WORLD, line).run();
  } catch (const moldyn::ToldToAll& error) {
    if (rank == 0) std::fprintf(stderr, "moldyn_voronoi: %s\n", error.what());
    status = 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "moldyn_voronoi: process %d: %s\n", rank, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
