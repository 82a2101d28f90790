// SPDX-License-Identifier: Apache-2.0
// Prints the results of `skein simulate`, to be read.
#pragma once

#include <string>

#include "runtime/tools/stage.hpp"
#include "skein/lb/simulate.hpp"

namespace skein::tools {

struct Simulation {
  const std::string& file;
  const PlayedRun& run;
  const simulate::Platform& platform;
  const simulate::Policy& policy;
  const simulate::Timeline& timeline;
  const simulate::TimelineNotes& told;
};

void print_simulation(const Simulation& simulation);

}  // namespace skein::tools
