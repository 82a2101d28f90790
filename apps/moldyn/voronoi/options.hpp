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
  diffusive,  ///< a step of diffusion each time
  global,     ///< Koradi's method, the first time
  model       ///< the one of these that the model expects to be fastest, from the first time on
};
inline constexpr std::array<const char*, 4> balance_names{"none", "diffusive", "global", "model"};

struct VoronoiCommandLine : CommandLine {
  Placement placement;
  Balance balance = Balance::diffusive;
  Abstraction by = Abstraction::forces;
  Diffusion diffusion;
  Koradi koradi;
  int sample = 4;      ///< of so many atoms one is in a sample
  int ahead = 0;       ///< intervals that the model looks ahead; 0: the rest of the run
  bool judge = false;  ///< what the advisor says of the abstractions is told each time
  bool loads = false;  ///< the loads over the run are told
};

/// See apps::read(). `processes`: that there are.
std::optional<int> read(const std::vector<std::string>& words, int processes, VoronoiCommandLine& line);

}  // namespace moldyn
