// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lb/trace/findings.hpp"

namespace skein::trace {

CheckResult check_trace(const Trace& trace, std::size_t most) {
  CheckResult result;
  for (const auto check : {check_streams, check_messages, check_collectives, check_executions})
    check(trace, Findings(result, most));
  std::stable_sort(result.findings.begin(), result.findings.end(), [](const Finding& a, const Finding& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.object < b.object;
  });
  return result;
}

}  // namespace skein::trace
