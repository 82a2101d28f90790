// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include "lb/parallel/messages.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::lb {
namespace {

std::vector<double> held_by_pe(const SnapshotPart& part, const Assignment& pe_of, Team& team) {
  std::vector<double> held(part.pe_count(), 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i) held[pe_of[i]] += static_cast<double>(part.objects.bytes[i]);
  team.sum(held);
  return held;
}

// Objects stay that would go to a PE above its limit, until no PE holds more than the greater of its limit
// and what it holds now. Ends at the latest when all stay.
Assignment keep_memory_limit(const SnapshotPart& part, Assignment pe_of, Team& team) {
  std::vector<double> most = held_by_pe(part, part.objects.pe, team);
  for (std::size_t p = 0; p < most.size(); ++p)
    most[p] = std::max(most[p], static_cast<double>(part.pes.memory_bytes[p]));
  for (;;) {
    const std::vector<double> held = held_by_pe(part, pe_of, team);
    bool above = false;
    for (std::size_t p = 0; p < held.size(); ++p) above |= held[p] > most[p];
    if (!above) return pe_of;
    for (std::size_t i = 0; i < pe_of.size(); ++i)
      if (held[pe_of[i]] > most[pe_of[i]]) pe_of[i] = part.objects.pe[i];
  }
}

}  // namespace

StepPlan decide_in_team(const Selection& selection, const SnapshotPart& part, std::uint64_t seed,
                        Team& team) {
  Assignment pe_of;
  if (part.first.back() > 0) {
    const bool positions = any(!part.objects.position.empty(), team);
    selection.check_needs(part.graph.empty(), !positions);
    pe_of = selection.info->assign_part(part, selection.options, seed, team);
  }
  if (!part.pes.memory_bytes.empty()) pe_of = keep_memory_limit(part, std::move(pe_of), team);
  StepPlan plan{.strategy = std::string(selection.info->name),
                .before = {finish_times(part, part.objects.pe, team)},
                .after = {finish_times(part, pe_of, team)},
                .moves = any(pe_of != part.objects.pe, team)};
  plan.before.perfect = plan.after.perfect = perfect_finish(part.pes, plan.before.of_pe);
  if (!part.pes.memory_bytes.empty())
    for (const double bytes : held_by_pe(part, pe_of, team))
      plan.held_bytes.push_back(static_cast<std::uint64_t>(bytes));
  plan.decision.pe_of = std::move(pe_of);
  return plan;
}

std::string why_not_parallel(const StrategyInfo& info) {
  if (!info.assign_part)
    return "decides on one PE; those that several can decide together are " + parallel_strategies();
  return why_unavailable(info.parallel_library);
}

std::string parallel_strategies() {
  std::string names;
  for (const StrategyInfo& info : strategies())
    if (info.assign_part) names.append(names.empty() ? "" : ", ").append(info.name);
  return names;
}

}  // namespace skein::lb
