// SPDX-License-Identifier: Apache-2.0
// The tools that there are. A new one: its declaration (an options::ToolOf, as lb_tool()), and a line here.
#pragma once

#include <span>

#include "runtime/options/tool.hpp"

namespace skein::tools {

/// In the order of the documentation.
std::span<const options::Tool> all_tools();

}  // namespace skein::tools
