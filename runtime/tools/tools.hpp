// SPDX-License-Identifier: Apache-2.0
// The tools that there are. A new one: its declaration, here or where more belongs to it, and a line in
// all_tools().
#pragma once

#include <span>

#include "runtime/options/tool.hpp"
#include "runtime/tools/lb_options.hpp"
#include "runtime/tools/trace_options.hpp"
#include "runtime/tools/tune_options.hpp"

namespace skein::tools {

/// In the order of the documentation.
std::span<const options::Tool> all_tools();

const options::ToolOf<LbOptions>& lb_tool();

const options::ToolOf<TraceOptions>& trace_tool();

const options::ToolOf<TuneOptions>& tune_tool();

}  // namespace skein::tools
