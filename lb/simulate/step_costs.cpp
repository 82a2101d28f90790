// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/step_costs.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "lb/kernel/usual_costs.hpp"
#include "lb/simulate/horizon.hpp"
#include "lb/simulate/network.hpp"
#include "lb/simulate/together_curve.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/pe_speeds.hpp"
#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::simulate {
namespace {

/// The cost of an object's move before any was measured, as in runtime/balance/pe_topology.cpp.
constexpr double kFirstObjectS = 15e-6;
constexpr double kShortBytes = 64;
/// The bytes of an object in a plan, as in runtime/balance/plan.cpp.
constexpr double kPlaceBytes = sizeof(PeIndex);

double levels(std::uint32_t pes) {
  return std::max(1, static_cast<int>(std::bit_width(std::max(pes, 1u) - 1)));
}

Ns whole(double ns) { return whole_ns(ns, "a part of an LB step (moves, decision_ns, decision_element_ns)"); }

double exchange_byte_ns(const Level& level) {
  return level.send_byte_ns + level.byte_ns + level.receive_byte_ns;
}
/// Returns the time of two messages between two PEs, one each way at the same time, alone on the machine.
double exchange_ns(const Level& level, double bytes) {
  return level.send_ns + level.latency_ns + level.gap_ns + level.receive_ns + bytes * exchange_byte_ns(level);
}

/// Returns the widest level, which the measurements of costs and moves use between a PE and its partner.
const Level& widest(const Platform& platform) {
  return platform.nodes > 1 ? platform.network : platform.node;
}

/// Returns the PE's speed at the start, when a run measures its processors.
double speed_at_start(const Platform& platform, PeIndex pe) {
  double speed = platform.speeds.empty() ? 1 : platform.speeds[pe];
  for (const SpeedChange& change : platform.changes)
    if (change.pe == pe && change.from_ns <= 0 && change.until_ns >= 0) speed *= change.factor;
  return speed;
}

std::vector<double> measured_speeds(const Platform& platform, std::size_t pes) {
  if (platform.speeds.empty() && platform.background.empty() && platform.changes.empty()) return {};
  std::vector<double> speeds(pes);
  for (PeIndex pe = 0; pe < pes; ++pe) speeds[pe] = speed_at_start(platform, pe);
  const double fastest = std::ranges::max(speeds);
  for (PeIndex pe = 0; pe < pes; ++pe) {
    // A processor that stands still at the start cannot be measured then.
    const double processor = speeds[pe] > 0 ? lb::counted_speed(speeds[pe] / fastest) : 1;
    const double own = platform.background.empty() ? 1 : lb::counted_speed(1 - platform.background[pe]);
    speeds[pe] = processor * own;
  }
  return speeds;
}

}  // namespace

Ns meeting_time(const Platform& platform) {
  return whole(platform.moves.meeting_ns * levels(platform.pe_count()));
}

Ns collecting_time(const Platform& platform, std::size_t objects) {
  return whole(platform.moves.collect_object_ns * static_cast<double>(objects));
}

Ns reporting_time(const Platform& platform, std::size_t objects) {
  return whole(levels(platform.pe_count()) *
               exchange_ns(widest(platform), kPlaceBytes * static_cast<double>(objects)));
}

double decision_element_ns(const Platform& platform, std::string_view strategy) {
  if (const auto given = platform.decision_element_ns.find(std::string(strategy));
      given != platform.decision_element_ns.end())
    return given->second;
  return lb::usual_element_ns(strategy).value_or(lb::kUnknownElementNs) / platform.speed;
}

Ns decision_time(const Platform& platform, std::string_view strategy, std::size_t objects, std::size_t pes,
                 std::size_t edges) {
  const auto beside = platform.decision_ns.find(std::string(strategy));
  return whole((beside == platform.decision_ns.end() ? 0 : beside->second) +
               decision_element_ns(platform, strategy) * static_cast<double>(objects + pes + edges));
}

Ns distributed_decision_time(const Platform& platform, std::string_view strategy, std::size_t objects_of_pe,
                             std::size_t rounds) {
  const double round_ns = levels(platform.pe_count()) * exchange_ns(widest(platform), kShortBytes);
  return decision_time(platform, strategy, objects_of_pe, 1, 0) +
         whole(static_cast<double>(rounds) * round_ns);
}

Ns team_decision_time(const Platform& platform, std::string_view strategy, std::size_t objects,
                      std::size_t pes, std::size_t edges, std::uint32_t deciding) {
  return whole(together_curve(platform.together, strategy)(
      {.processes = static_cast<double>(deciding), .work = static_cast<double>(objects + pes + edges)}));
}

Ns team_telling_time(const Platform& platform, std::size_t objects_of_pe) {
  return reporting_time(platform, 0) +
         whole(exchange_ns(widest(platform), kPlaceBytes * static_cast<double>(objects_of_pe)));
}

std::uint32_t most_deciding(const Platform& platform, std::string_view strategy) {
  if (lb::parse_auto(strategy)) return 1;
  const lb::StrategyInfo& info = *lb::parse_strategy(strategy).info;
  if (!info.assign_part || together_curve(platform.together, info.name).is_zero()) return 1;
  const auto measured = platform.together.pes.find(std::string(info.name));
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  if (measured == platform.together.pes.end()) return most;
  return static_cast<std::uint32_t>(std::min(2 * measured->second, double{most}));
}

MoveTimes move_times(const Platform& platform, const lb::Objects& objects, std::span<const PeIndex> pe_of,
                     std::span<const lb::Split> splits) {
  MoveTimes times;
  std::vector<double> own(platform.pe_count(), 0);
  std::map<std::pair<PeIndex, PeIndex>, std::uint64_t> between;
  const auto move = [&](PeIndex from, PeIndex to, std::uint64_t bytes) {
    if (from == to) return;
    const bool same_node = platform.node_of(from) == platform.node_of(to);
    const double byte_ns = same_node ? platform.moves.node_byte_ns : platform.moves.network_byte_ns;
    const double ns = platform.moves.object_ns + byte_ns * static_cast<double>(bytes);
    own[from] += ns;
    own[to] += ns;
    if (!same_node) between[{from, to}] += bytes;
    ++times.objects;
    times.bytes += bytes;
  };
  std::vector<double> left(pe_of.size(), 1);
  for (const lb::Split& split : splits) {
    left[split.object] -= split.fraction;
    move(objects.pe[split.object], split.pe,
         static_cast<std::uint64_t>(split.fraction * static_cast<double>(objects.bytes[split.object])));
  }
  for (std::size_t i = 0; i < pe_of.size(); ++i)
    move(objects.pe[i], pe_of[i],
         left[i] == 1
             ? objects.bytes[i]
             : static_cast<std::uint64_t>(std::max(0.0, left[i]) * static_cast<double>(objects.bytes[i])));
  for (const auto& [pes, bytes] : between) times.transfers.push_back({pes.first, pes.second, bytes});
  const double begin_ns = times.objects > 0 ? platform.moves.begin_ns : 0;
  for (const double ns : own) times.of_pe.push_back(whole(begin_ns + ns));
  return times;
}

lb::CostModel measured_costs(const Platform& platform) {
  const Level& level = widest(platform);
  return {.object_s = kFirstObjectS,
          .byte_s = 1e-9 * (platform.nodes > 1 ? exchange_byte_ns(level) + platform.moves.network_byte_ns
                                               : platform.moves.node_byte_ns),
          .remote_message_s = 1e-9 * exchange_ns(level, kShortBytes),
          .remote_byte_s = 1e-9 * exchange_byte_ns(level),
          .in_node = lb::LinkCosts{1e-9 * exchange_ns(platform.node, kShortBytes),
                                   1e-9 * exchange_byte_ns(platform.node)}};
}

lb::Topology topology_seen(const Platform& platform, std::size_t pes) {
  std::vector<std::vector<lb::Domain>> ways;
  for (PeIndex pe = 0; pe < pes; ++pe) ways.push_back(lb::way_to_node(platform.node_of(pe)));
  return lb::make_topology(ways);
}

std::vector<double> speeds_seen(const Platform& platform, const Policy& policy) {
  const std::size_t pes = platform.pe_count() - static_cast<std::size_t>(policy.mode.reserved_pes());
  std::vector<double> speeds = policy.pe_speeds ? *policy.pe_speeds : measured_speeds(platform, pes);
  if (!speeds.empty()) speeds.resize(pes, 1);
  if (std::ranges::all_of(speeds, [](double speed) { return speed == 1; })) speeds.clear();
  return speeds;
}

}  // namespace skein::simulate
