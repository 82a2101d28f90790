// SPDX-License-Identifier: Apache-2.0
// The command line of the MPI program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/barneshut/parameters.hpp"
#include "partition.hpp"

namespace barneshut {

struct MpiCommandLine : CommandLine {
  Partition partition = Partition::costzones;
  Asking asking;
  int balance = 10;  ///< steps between balancings
  int migrate = 0;   ///< steps between calls of MPI_Migrate(); 0: none
};

/// Reads the command line, like apps::read().
std::optional<int> read(const std::vector<std::string>& words, MpiCommandLine& line);

}  // namespace barneshut
