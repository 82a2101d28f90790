// SPDX-License-Identifier: Apache-2.0
// `skein trace`: recorded runs as files. What is done with them is in lb/trace/.
#pragma once

#include "runtime/options/tool.hpp"
#include "runtime/tools/trace_options.hpp"

namespace skein::tools {

const options::ToolOf<TraceOptions>& trace_tool();

}  // namespace skein::tools
