// SPDX-License-Identifier: Apache-2.0
// The tools that there are, each in its tools_<name>.cpp. A new one: its function here, a line in tools.cpp
// and one in names.hpp.
#pragma once

#include <span>

#include "runtime/options/tool.hpp"

namespace skein::tools {

/// `skein trace`: recorded runs as files. What is done with them is in lb/trace/.
options::Tool trace_tool();
/// `skein simulate`: a recorded run on another machine. What is worked out is in lb/simulate/.
options::Tool simulate_tool();
/// `skein tune`: how a recorded job runs fastest on a machine. What to try is lb/tune/'s to choose; this
/// simulates on all cores and tells.
options::Tool tune_tool();
/// `skein report`: runs, simulations, traces and tunings as a page to look at.
options::Tool report_tool();
/// `skein calibrate`: measures this machine, or a cluster, and writes it as a platform.
options::Tool calibrate_tool();
/// `skein checkpoint`: what states of jobs there are in a folder, and whether they can be read.
options::Tool checkpoint_tool();

/// All, with `skein lb` (lb_command.hpp), in the order of the documentation.
std::span<const options::Tool> all_tools();

}  // namespace skein::tools
