// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "lb/parallel/memory.hpp"
#include "lb/parallel/messages.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::lb {

StepPlan plan_of(std::string_view strategy, const SnapshotPart& part, Assignment pe_of, Team& team) {
  StepPlan plan{.strategy = std::string(strategy),
                .before = {finish_times(part, part.objects.pe, team)},
                .after = {finish_times(part, pe_of, team)},
                .moves = any(pe_of != part.objects.pe, team)};
  plan.before.perfect = plan.after.perfect = perfect_finish(part.pes, plan.before.of_pe);
  plan.held_bytes = held_bytes(part, pe_of, team);
  plan.decision.pe_of = std::move(pe_of);
  return plan;
}

StepPlan decide_in_team(const Selection& selection, const SnapshotPart& part, std::uint64_t seed,
                        Team& team) {
  Assignment pe_of;
  if (part.first.back() > 0) {
    const bool positions = any(!part.objects.position.empty(), team);
    selection.check_needs(part.graph.empty(), !positions);
    pe_of = selection.info->assign_part(part, selection.options, seed, team);
  }
  pe_of = keep_memory_limit(part, std::move(pe_of), team);
  return plan_of(selection.info->name, part, std::move(pe_of), team);
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
