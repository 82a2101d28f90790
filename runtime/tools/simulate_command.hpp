// SPDX-License-Identifier: Apache-2.0
// `skein simulate`: a recorded run on another machine. What is worked out is in lb/simulate/; this asks and
// prints.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/options/tool.hpp"
#include "runtime/tools/stage.hpp"

namespace skein::tools {

/// Checked as far as can be without a file.
struct SimulateOptions : Stage {
  std::vector<std::string> operands;  ///< the trace
  std::uint32_t pes = 0;              ///< 0: those of the platform
  bool alone = false;                 ///< without the run in which nobody moves
  bool json = false;
  std::string output;  ///< empty: standard output
  std::string trace;   ///< where the simulated run is written as a trace; empty: nowhere
  bool critical_path = false;
  std::vector<std::pair<std::string, double>> what_if;  ///< what is how much faster
  std::string platform_xml;  ///< where the platform is written for SimGrid; empty: nowhere
};

const options::ToolOf<SimulateOptions>& simulate_tool();

}  // namespace skein::tools
