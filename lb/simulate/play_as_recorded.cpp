// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "skein/lb/as_recorded.hpp"
#include "skein/lb/trace_beginning.hpp"

namespace skein::simulate {

trace::Trace play_as_recorded(const trace::Trace& trace) {
  const trace::Header& header = trace.header();
  Platform platform;
  platform.name = "as recorded";
  platform.pes_per_node = std::max(1u, header.pes);
  for (const PeIndex pe : header.placement) platform.pes_per_node = std::max(platform.pes_per_node, pe + 1);
  Policy policy;
  policy.keep_bursts = true;
  if (header.placement.size() == trace.object_count()) policy.placement = Placement::recorded;
  if (!trace.steps().empty()) {
    policy.strategy = "rotate";  // any: what moves is recorded
    policy.period = std::max<std::uint64_t>(1, trace::sync_points(trace) / trace.steps().size());
    policy.steps_as_recorded = true;
  }
  return as_recorded(trace, simulate(trace, platform, policy), platform.name);
}

}  // namespace skein::simulate
