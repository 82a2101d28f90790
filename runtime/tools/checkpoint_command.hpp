// SPDX-License-Identifier: Apache-2.0
// `skein checkpoint`: what states of jobs there are in a folder, and whether they can be read.
#pragma once

#include <string>
#include <vector>

#include "runtime/options/tool.hpp"

namespace skein::tools {

struct CheckpointOptions {
  bool json = false;
  std::vector<std::string> operands;
};
using CheckpointOption = options::OptionOf<CheckpointOptions>;

const options::ToolOf<CheckpointOptions>& checkpoint_tool();

}  // namespace skein::tools
