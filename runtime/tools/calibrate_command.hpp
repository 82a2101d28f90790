// SPDX-License-Identifier: Apache-2.0
// `skein calibrate`: measures this machine, or a cluster, and writes it as a platform.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/options/tool.hpp"

namespace skein::tools {

struct CalibrateOptions {
  std::vector<std::string> operands;
  std::string output, start, name;
  std::uint32_t pes = 0;  ///< 0: as many as there are cores
  bool decisions = true;
};

const options::ToolOf<CalibrateOptions>& calibrate_tool();

}  // namespace skein::tools
