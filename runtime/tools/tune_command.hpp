// SPDX-License-Identifier: Apache-2.0
// `skein tune`: how a recorded job runs fastest on a machine. What to try is lb/tune/'s to choose; this
// simulates on all cores and tells.
#pragma once

#include "runtime/options/tool.hpp"
#include "runtime/tools/tune_options.hpp"

namespace skein::tools {

const options::ToolOf<TuneOptions>& tune_tool();

}  // namespace skein::tools
