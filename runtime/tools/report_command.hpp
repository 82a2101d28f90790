// SPDX-License-Identifier: Apache-2.0
// `skein report`: runs, simulations, traces and tunings as a page to look at.
#pragma once

#include <string>
#include <vector>

#include "runtime/options/tool.hpp"

namespace skein::tools {

struct ReportOptions {
  std::vector<std::string> operands;  ///< files
  std::string output = "skein-report.html";
  std::string title;  ///< empty: of the files
};

const options::ToolOf<ReportOptions>& report_tool();

}  // namespace skein::tools
