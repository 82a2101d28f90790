// SPDX-License-Identifier: Apache-2.0
// moldyn_voronoi: molecular dynamics of a metal wire, an MPI program that keeps its own decomposition and
// moves its own work. See ../README.md.
#include "apps/common/mpi_main.hpp"
#include "simulation.hpp"

int main(int argc, char** argv) {
  using namespace moldyn;
  const auto read_line = [](const std::vector<std::string>& words, VoronoiCommandLine& line) {
    int processes = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    return read(words, processes, line);
  };
  return apps::mpi_main<VoronoiCommandLine, ToldToAll>(
      "moldyn_voronoi", argc, argv, read_line,
      [](const VoronoiCommandLine& line, int) { Simulation(MPI_COMM_WORLD, line).run(); });
}
