// SPDX-License-Identifier: Apache-2.0
// What is simulated: what the command line says, and what follows from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mesh.hpp"

namespace samr {

enum class Scenario : std::int32_t { sod, bubble, blobs };

/// A plain struct: each block has a copy.
struct Parameters {
  Scenario scenario = Scenario::bubble;
  std::int32_t roots_x = 0,
               roots_y = 0;  ///< blocks of level 0; the domain is roots_x / roots_y long and 1 high
  std::int32_t cells = 16;   ///< of a block along each axis
  std::int32_t levels = 4;
  std::int32_t adapt = 4;  ///< the mesh adapts every so many steps
  std::int32_t sync = 2;   ///< sync point every so many times that it does
  std::int32_t report = 50;
  std::int32_t steps = 0;  ///< at most; 0: until the end
  std::int32_t blobs = 12;
  std::uint32_t seed = 1;
  double end = 0;  ///< time
  double steepness =
      0.08;  ///< jump of density or pressure between cells, relative, from which a block is refined
  double courant = 0.4;

  int finest() const { return levels - 1; }
  double length() const { return static_cast<double>(roots_x) / roots_y; }
  double spacing(int level) const { return 1.0 / (roots_y * cells << level); }
};

struct CommandLine {
  Parameters parameters;
  std::string write;  ///< file for the cells at the end; empty: none
};

/// See apps::read().
std::optional<int> read(const std::vector<std::string>& words, CommandLine& line);

}  // namespace samr
