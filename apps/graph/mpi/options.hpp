// SPDX-License-Identifier: Apache-2.0
// The command line of the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace graph {

struct Options {
  std::string file, positions;  // empty: a mesh
  std::string mesh = "tetra";
  std::uint64_t vertices = 8000;
  std::string weights = "hotspot", decomposition = "boxes";
  double contrast = 4, skew = 0.5;
  std::uint64_t seed = 1;

  int steps = 100;
  double step_ms = 10;  // mean time of a step on a process
  bool waits = false;   // waits instead of computing
  std::uint64_t element_bytes = 1024, message_bytes = 64;

  int advise = 0;        // steps between questions; 0: none
  bool once = false;     // advises after the first step only
  std::string strategy;  // empty: the advisor chooses
  bool tells_edges = true;
  double horizon = 0;  // steps; 0: the remaining ones
  int migrate = 0;
};

/// Reads the words. Returns the exit status if the program is to end, after help or an error.
std::optional<int> read(const std::vector<std::string>& words, Options& options);

}  // namespace graph
