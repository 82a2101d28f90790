// SPDX-License-Identifier: Apache-2.0
// A plain MPI program with grids of an adaptive mesh, whose work and places a file tells, adaptation after
// adaptation. It asks the advisor each time where they should go, and says how level the processes would be.
//
// usage: mpirun -n PROCESSES grids_advised FILE STRATEGY
// FILE has a line for each grid of each adaptation, these in order: ADAPTATION GRID PROCESS SECONDS BYTES.
// Prints for each adaptation the ratio of the largest to the mean work of a process, before and after; ends
// with status 1 and a message where the file or the strategy is wrong.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "skein/advisor.hpp"

namespace {

struct World {
  int here = 0, processes = 1;
};

/// The grids of this process, by adaptation; an adaptation may have none here.
using Grids = std::map<int, std::vector<skein::AdvisorElement>>;

Grids read(const std::string& path, const World& world) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read '" + path + "'");
  Grids grids;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    int adaptation = 0, process = 0;
    skein::AdvisorElement grid;
    if (!(std::istringstream(line) >> adaptation >> grid.id >> process >> grid.weight >> grid.bytes))
      throw std::runtime_error(path + ", line " + std::to_string(number) +
                               ": not ADAPTATION GRID PROCESS SECONDS BYTES: '" + line + "'");
    if (process < 0 || process >= world.processes)
      throw std::runtime_error(path + ", line " + std::to_string(number) + ": process " +
                               std::to_string(process) + " of " + std::to_string(world.processes) +
                               "; start as many as the file is for");
    std::vector<skein::AdvisorElement>& of_here = grids[adaptation];
    if (process == world.here) of_here.push_back(grid);
  }
  return grids;
}

double ratio(const std::vector<double>& work) {
  double sum = 0, largest = 0;
  for (const double each : work) sum += each, largest = std::max(largest, each);
  return sum > 0 ? largest / (sum / static_cast<double>(work.size())) : 1;
}

std::vector<double> added_up(std::vector<double> work) {
  MPI_Allreduce(MPI_IN_PLACE, work.data(), static_cast<int>(work.size()), MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  return work;
}

void ask(const Grids& grids, const std::string& strategy, const World& world) {
  // So long that whatever the strategy gains is worth its cost.
  skein::Advisor advisor(MPI_COMM_WORLD, {.horizon_steps = 1e9, .strategy = strategy});
  for (const auto& [adaptation, here] : grids) {
    std::vector<double> before(static_cast<std::size_t>(world.processes)), after = before;
    for (const skein::AdvisorElement& grid : here)
      before[static_cast<std::size_t>(world.here)] += grid.weight;
    advisor.add_work(before[static_cast<std::size_t>(world.here)]);
    const skein::Advice advice = advisor.advise(here);
    for (std::size_t k = 0; k < here.size(); ++k)
      after[static_cast<std::size_t>(advice.process[k])] += here[k].weight;
    before = added_up(before);
    after = added_up(after);
    if (world.here == 0)
      std::printf("%d %.17g %.17g %s\n", adaptation, ratio(before), ratio(after), advice.strategy.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.here);
  MPI_Comm_size(MPI_COMM_WORLD, &world.processes);
  try {
    if (argc != 3) throw std::runtime_error("usage: grids_advised FILE STRATEGY");
    ask(read(argv[1], world), argv[2], world);
  } catch (const std::exception& error) {
    if (world.here == 0) std::cerr << "grids_advised: " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
