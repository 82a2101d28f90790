// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/cost.hpp"

#include <algorithm>

#include "skein/lb/metrics.hpp"

namespace skein::lb {

MessageCosts message_costs(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost) {
  MessageCosts costs{std::vector<double>(snapshot.pe_count(), 0), 0, 0};
  const CommGraph& graph = snapshot.graph;
  if (graph.empty() || (cost.remote_byte_s == 0 && cost.remote_message_s == 0)) return costs;
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    for (std::uint64_t e = graph.first[i]; e < graph.first[i + 1]; ++e) {
      const PeIndex from = pe_of[i], to = pe_of[graph.to[e]];
      const double seconds = graph.messages[e] * cost.remote_message_s + graph.bytes[e] * cost.remote_byte_s;
      costs.all_s += seconds;
      if (from == to) continue;
      costs.remote_s += seconds;
      costs.pe_s[from] += seconds;
      costs.pe_s[to] += seconds;
    }
  }
  return costs;
}

std::vector<double> interval_times(const Snapshot& snapshot, std::span<const PeIndex> pe_of,
                                   const CostModel& cost) {
  std::vector<double> times = finish_times(snapshot, pe_of);
  const MessageCosts messages = message_costs(snapshot, pe_of, cost);
  for (std::size_t p = 0; p < times.size(); ++p) times[p] += messages.pe_s[p];
  return times;
}

double interval_seconds(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost) {
  return std::ranges::max(interval_times(snapshot, pe_of, cost));
}

double movement_seconds(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost) {
  const Objects& objects = snapshot.objects;
  std::vector<double> busy(snapshot.pe_count(), 0);
  bool any = false;
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    if (pe_of[i] == objects.pe[i]) continue;
    const double seconds = cost.object_s + static_cast<double>(objects.bytes[i]) * cost.byte_s;
    busy[objects.pe[i]] += seconds;
    busy[pe_of[i]] += seconds;
    any = true;
  }
  return any ? std::ranges::max(busy) + cost.rebuild_s : 0;
}

}  // namespace skein::lb
