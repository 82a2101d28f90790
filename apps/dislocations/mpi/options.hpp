// SPDX-License-Identifier: Apache-2.0
// The command line of the MPI program.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "apps/dislocations/parameters.hpp"

namespace dislocations {

enum class Partition { none, sections, advisor };
enum class Calipers { time, evaluations };

struct MpiCommandLine : CommandLine {
  Partition partition = Partition::sections;
  Calipers calipers = Calipers::time;
  int balance = 10;  ///< every so many steps
  int horizon = 0;   ///< steps for which balance is expected to matter; 0: as many as there were
  int migrate = 0;   ///< MPI_Migrate() every so many steps; 0: never
  std::array<int, 3> dims{0, 0, 0};  ///< sections along X, Y, Z; 0: as MPI likes
  std::string loads;                 ///< file for the loads of each process at each balancing; empty: none
};

/// Reads the command line, like apps::read().
std::optional<int> read(const std::vector<std::string>& words, MpiCommandLine& line);

}  // namespace dislocations
