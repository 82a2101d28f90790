// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lb/trace/check.hpp"

namespace skein::trace {

CheckResult check_trace(const Trace& trace, std::size_t most) {
  CheckResult result;
  // Its streams begin anywhere: missing earlier events say nothing about the program.
  if (trace.header().ends_only) {
    result.errors = 1;
    result.findings.push_back({Finding::Weight::error, 0, 0,
                               "it has only the ends of its streams (--trace FILE:last=SECONDS), which "
                               "cannot be played: record the whole run"});
    return result;
  }
  for (const auto check : {check_streams, check_messages, check_collectives, check_executions})
    check(trace, Findings(result, most));
  std::stable_sort(result.findings.begin(), result.findings.end(), [](const Finding& a, const Finding& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.object < b.object;
  });
  return result;
}

}  // namespace skein::trace
