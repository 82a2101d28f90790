// SPDX-License-Identifier: Apache-2.0
// The command line of the native program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/barneshut/parameters.hpp"

namespace barneshut {

struct NativeCommandLine : CommandLine {
  int sync = 1;  ///< steps between sync points
};

/// Reads the command line, like apps::read().
std::optional<int> read(const std::vector<std::string>& words, NativeCommandLine& line);

}  // namespace barneshut
