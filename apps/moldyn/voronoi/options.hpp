// SPDX-License-Identifier: Apache-2.0
// The command line of the program with point-centred domains.
#pragma once

#include "abstraction.hpp"
#include "apps/moldyn/parameters.hpp"
#include "centres.hpp"
#include "move_centres.hpp"

namespace moldyn {

enum class Balance : int {
  none,
  diffusive,  ///< a step of diffusion at each balancing
  global,     ///< Koradi's method, at the first balancing
  model       ///< the one of these that the model expects to be fastest, from the first balancing on
};
inline constexpr std::array<const char*, 4> balance_names{"none", "diffusive", "global", "model"};

struct VoronoiCommandLine : CommandLine {
  Placement placement;
  Balance balance = Balance::diffusive;
  Abstraction by = Abstraction::forces;
  Diffusion diffusion;
  Koradi koradi;
  int sample = 4;      ///< one of so many atoms is in a sample
  int ahead = 0;       ///< intervals that the model looks ahead; 0: the rest of the run
  bool judge = false;  ///< prints the advisor's judgement of the abstractions at each balancing
  bool loads = false;  ///< prints the loads over the run
};

/// Reads the command line, like apps::read(), for a job of `processes` processes.
std::optional<int> read(const std::vector<std::string>& words, int processes, VoronoiCommandLine& line);

}  // namespace moldyn
