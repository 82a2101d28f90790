// SPDX-License-Identifier: Apache-2.0
// What `skein trace` was asked to do.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/options/option_walk.hpp"
#include "skein/lb/coarsen.hpp"
#include "skein/lb/trace_formats.hpp"

namespace skein::tools {

struct TraceFormat;  // a row of the table in trace_options.cpp

struct TraceOptions {
  std::vector<std::string> operands;  ///< files

  const TraceFormat* format = nullptr;  ///< not given
  trace::TiOptions ti;
  std::vector<std::uint32_t> grid, to;  ///< empty: not given
  std::vector<std::uint32_t> cells;     ///< empty: not given
  std::string map;                      ///< a file; empty: not given
  std::string calibrate_with;           ///< a file; empty: not given
  std::vector<std::uint32_t> calibrate_grid;
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

/// The options of all subcommands, in the order of the documentation.
std::span<const TraceOption> trace_options();

}  // namespace skein::tools
