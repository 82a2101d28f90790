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
  int balance = 10;  ///< steps between balancings
  int horizon = 0;   ///< steps for which balance is expected to matter; 0: as many as there were
  int migrate = 0;   ///< steps between calls of MPI_Migrate(); 0: none
  std::array<int, 3> dims{0, 0, 0};  ///< sections along X, Y, Z; 0: MPI chooses
  std::string loads;                 ///< file for the loads of each process at each balancing; empty: none
};

/// Reads the command line, like apps::read().
std::optional<int> read(const std::vector<std::string>& words, MpiCommandLine& line);

}  // namespace dislocations
