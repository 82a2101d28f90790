// SPDX-License-Identifier: Apache-2.0
// `skein tune`: how a recorded job runs fastest on a machine. What to try is lb/tune/'s to choose; this
// simulates on all cores and tells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/options/tool.hpp"
#include "runtime/tools/grid.hpp"
#include "runtime/tools/stage.hpp"

namespace skein::tools {

/// Checked as far as can be without a file. Empty lists: chosen by the traces and the platform.
struct TuneOptions : Stage {
  std::vector<std::string> operands;  ///< traces of the same job
  std::vector<std::string> strategies;
  std::vector<std::uint64_t> periods;
  std::vector<std::uint32_t> pes;
  std::vector<lb::Mode> modes;
  bool several_deciding = false;  ///< with these, other numbers of PEs that decide, where they are known
  Grid grid;                      ///< of the recorded ranks; empty: not given
  std::vector<Grid> to;           ///< coarser ones to try, too
  Grid cells;                     ///< of the program's grid; empty: they divide
  std::size_t seeds = 1;
  bool whole = false;    ///< none is given up
  double budget_s = 0;   ///< 0: no limit
  std::size_t jobs = 0;  ///< 0: as many as there are cores
  bool json = false;
  std::string output;  ///< empty: standard output
};

using TuneOption = options::OptionOf<TuneOptions>;

const options::ToolOf<TuneOptions>& tune_tool();

}  // namespace skein::tools
