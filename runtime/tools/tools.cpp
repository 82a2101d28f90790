// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include "runtime/tools/calibrate_command.hpp"
#include "runtime/tools/checkpoint_command.hpp"
#include "runtime/tools/lb_command.hpp"
#include "runtime/tools/report_command.hpp"
#include "runtime/tools/simulate_command.hpp"
#include "runtime/tools/trace_command.hpp"
#include "runtime/tools/tune_command.hpp"

namespace skein::tools {

std::span<const options::Tool> all_tools() {
  static const options::Tool tools[] = {
      options::as_tool(lb_tool()),         options::as_tool(trace_tool()),
      options::as_tool(simulate_tool()),   options::as_tool(tune_tool()),
      options::as_tool(report_tool()),     options::as_tool(calibrate_tool()),
      options::as_tool(checkpoint_tool()),
  };
  return tools;
}

}  // namespace skein::tools
