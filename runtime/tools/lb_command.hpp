// SPDX-License-Identifier: Apache-2.0
// `skein lb`: strategies on files. What is worked out is in lb/; this reads, chooses, prints.
#pragma once

#include "runtime/options/tool.hpp"
#include "runtime/tools/lb_options.hpp"

namespace skein::tools {

const options::ToolOf<LbOptions>& lb_tool();

}  // namespace skein::tools
