// SPDX-License-Identifier: Apache-2.0
// `skein trace`: recorded runs as files. What is done with them is in lb/trace/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/options/tool.hpp"
#include "runtime/tools/grid.hpp"
#include "skein/lb/coarsen.hpp"
#include "skein/lb/trace_formats.hpp"

namespace skein::tools {

struct TraceFormat;  // a row of the table in trace_command.cpp

struct TraceOptions {
  std::vector<std::string> operands;  ///< files

  const TraceFormat* format = nullptr;  ///< not given
  trace::TiOptions ti;
  Grid grid, to, cells;        ///< empty: not given
  std::string map;             ///< a file; empty: not given
  std::string calibrate_with;  ///< a file; empty: not given
  Grid calibrate_grid;
  std::string output;  ///< empty: not given
  bool json = false;
};

/// What --format names.
struct TraceFormat {
  std::string_view name;
  bool whole;  ///< what plays it needs a whole run
  trace::Remarks (*write)(const TraceOptions& options, const trace::Trace& trace, const std::string& output);
  std::string (*next)(const trace::Trace& trace, const std::string& output);  ///< what to do with it
};

using TraceOption = options::OptionOf<TraceOptions>;

const options::ToolOf<TraceOptions>& trace_tool();

}  // namespace skein::tools
