// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include "runtime/tools/lb_command.hpp"

namespace skein::tools {

std::span<const options::Tool> all_tools() {
  static const options::Tool tools[] = {options::as_tool(lb_tool()),
                                        trace_tool(),
                                        simulate_tool(),
                                        tune_tool(),
                                        report_tool(),
                                        calibrate_tool(),
                                        checkpoint_tool()};
  return tools;
}

}  // namespace skein::tools
