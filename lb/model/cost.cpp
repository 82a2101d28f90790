// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/cost.hpp"

#include <algorithm>

#include "lb/kernel/levels.hpp"
#include "lb/kernel/moves.hpp"
#include "skein/lb/expected_largest.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {

LinkCosts measure_link(std::size_t short_bytes, std::size_t long_bytes, double (*clock)(),
                       const std::function<void(std::size_t bytes)>& exchange) {
  constexpr int kExchanges = 5;
  const auto least = [&](std::size_t bytes) {
    double result = 0;
    for (int k = 0; k < kExchanges; ++k) {
      const double start = clock();
      exchange(bytes);
      const double taken = clock() - start;
      if (k > 0) result = k == 1 ? taken : std::min(result, taken);
    }
    return result;
  };
  const double message_s = least(short_bytes);
  return {message_s, std::max(0.0, least(long_bytes) - message_s) / static_cast<double>(long_bytes)};
}

MessageCosts message_costs(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost) {
  MessageCosts costs{std::vector<double>(snapshot.pe_count(), 0), 0, 0};
  const CommGraph& graph = snapshot.graph;
  if (graph.empty() || (cost.remote_byte_s == 0 && cost.remote_message_s == 0)) return costs;
  const LinkCosts any{cost.remote_message_s, cost.remote_byte_s}, in_node = cost.in_node.value_or(any);
  const std::vector<std::uint32_t>& node = snapshot.pes.node;
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    for (std::uint64_t e = graph.first[i]; e < graph.first[i + 1]; ++e) {
      const PeIndex from = pe_of[i], to = pe_of[graph.to[e]];
      const auto seconds_by = [&](const LinkCosts& link) {
        return graph.messages[e] * link.message_s + graph.bytes[e] * link.byte_s;
      };
      costs.all_s += seconds_by(any);
      if (from == to) continue;
      const double seconds = seconds_by(node[from] == node[to] ? in_node : any);
      costs.remote_s += seconds;
      costs.pe_s[from] += seconds;
      costs.pe_s[to] += seconds;
    }
  }
  return costs;
}

double interval_seconds(const Snapshot& snapshot, const Decision& decision, const CostModel& cost,
                        double spread_s) {
  const std::vector<double> messages_s = message_costs(snapshot, decision.pe_of, cost).pe_s;
  if (!snapshot.objects.level.empty())
    return computing_seconds(snapshot, decision) + std::ranges::max(messages_s);
  std::vector<double> times = finish_times(snapshot, decision);
  for (std::size_t p = 0; p < times.size(); ++p) times[p] += messages_s[p];
  return expected_largest(times, spread_s);
}

double movement_seconds(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost,
                        std::span<const Split> splits) {
  std::vector<double> busy(snapshot.pe_count(), 0);
  bool any = false;
  for_each_move(snapshot, pe_of, splits, [&](PeIndex from, PeIndex to, std::uint64_t bytes) {
    const double seconds = cost.object_s + static_cast<double>(bytes) * cost.byte_s;
    busy[from] += seconds;
    busy[to] += seconds;
    any = true;
  });
  return any ? std::ranges::max(busy) + cost.rebuild_s : 0;
}

}  // namespace skein::lb
