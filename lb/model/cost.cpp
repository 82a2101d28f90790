// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/cost.hpp"

#include <algorithm>

#include "skein/lb/metrics.hpp"

namespace skein::lb {

std::vector<double> interval_times(const Snapshot& snapshot, std::span<const PeIndex> pe_of,
                                   const CostModel& cost) {
  std::vector<double> times = finish_times(snapshot, pe_of);
  const CommGraph& graph = snapshot.graph;
  if (graph.empty() || (cost.remote_byte_s == 0 && cost.remote_message_s == 0)) return times;
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    for (std::uint64_t e = graph.first[i]; e < graph.first[i + 1]; ++e) {
      const PeIndex from = pe_of[i], to = pe_of[graph.to[e]];
      if (from == to) continue;
      const double seconds = graph.messages[e] * cost.remote_message_s + graph.bytes[e] * cost.remote_byte_s;
      times[from] += seconds;
      times[to] += seconds;
    }
  }
  return times;
}

double interval_seconds(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost) {
  return std::ranges::max(interval_times(snapshot, pe_of, cost));
}

double movement_seconds(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost) {
  const Objects& objects = snapshot.objects;
  std::vector<double> busy(snapshot.pe_count(), 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    if (pe_of[i] == objects.pe[i]) continue;
    const double seconds = cost.object_s + static_cast<double>(objects.bytes[i]) * cost.byte_s;
    busy[objects.pe[i]] += seconds;
    busy[pe_of[i]] += seconds;
  }
  return std::ranges::max(busy);
}

}  // namespace skein::lb
