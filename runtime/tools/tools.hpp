// SPDX-License-Identifier: Apache-2.0
// The tools, each in its tools_<name>.cpp. A new one needs its function here, a line in tools.cpp and one in
// names.hpp.
#pragma once

#include <span>

#include "runtime/options/tool.hpp"

namespace skein::tools {

/// `skein trace`: recorded runs as files. lb/trace/ processes them.
options::Tool trace_tool();
/// `skein simulate`: a recorded run on another machine. lb/simulate/ computes it.
options::Tool simulate_tool();
/// `skein tune`: how a recorded job runs fastest on a machine. lb/tune/ chooses what to try; this simulates
/// on all cores and reports.
options::Tool tune_tool();
/// `skein report`: runs, simulations, traces and tunings as a page to look at.
options::Tool report_tool();
/// `skein calibrate`: measures this machine, or a cluster, and writes it as a platform.
options::Tool calibrate_tool();
/// `skein checkpoint`: lists the states of jobs in a folder, and checks whether they can be read.
options::Tool checkpoint_tool();

/// Returns all tools, with `skein lb` (lb_command.hpp), in the order of the documentation.
std::span<const options::Tool> all_tools();

}  // namespace skein::tools
