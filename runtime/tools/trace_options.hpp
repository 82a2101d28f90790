// SPDX-License-Identifier: Apache-2.0
// What `skein trace` was asked to do.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/options/option_walk.hpp"
#include "skein/lb/coarsen.hpp"
#include "skein/lb/trace_formats.hpp"

namespace skein::tools {

/// As the option's alternatives stand.
enum class TraceFormat : std::uint8_t { none, ti, otf2, perfetto };

struct TraceOptions {
  std::vector<std::string> operands;  ///< files

  TraceFormat format = TraceFormat::none;
  trace::TiOptions ti;
  std::vector<std::uint32_t> grid, to;  ///< empty: not given
  std::vector<std::uint32_t> cells;     ///< empty: not given
  std::string map;                      ///< a file; empty: not given
  std::string calibrate_with;           ///< a file; empty: not given
  std::vector<std::uint32_t> calibrate_grid;
  std::string output;  ///< empty: not given
  bool json = false;
};

using TraceOption = options::OptionOf<TraceOptions>;

/// The options of all subcommands, in the order of the documentation.
std::span<const TraceOption> trace_options();

}  // namespace skein::tools
