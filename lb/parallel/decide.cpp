// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <string>
#include <utility>

#include "lb/parallel/memory.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/parallel.hpp"
#include "skein/lb/team_messages.hpp"

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

namespace {

/// What a library's strategy does wrong; else empty.
std::string fault_of(const StrategyInfo& info, const SnapshotPart& part, const Assignment& pe_of) {
  const std::string strategy = "strategy '" + std::string(info.name) + "' of a library ";
  if (pe_of.size() != part.object_count())
    return strategy + "returned " + std::to_string(pe_of.size()) + " PEs for " +
           std::to_string(part.object_count()) + " objects";
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    if (pe_of[i] >= part.pe_count())
      return strategy + "sends an object to PE " + std::to_string(pe_of[i]) + " of " +
             std::to_string(part.pe_count());
    if (!part.objects.migratable[i] && pe_of[i] != part.objects.pe[i])
      return strategy + "moves a pinned object";
  }
  return {};
}

Assignment assign_part(const Selection& selection, const SnapshotPart& part, std::uint64_t seed, Team& team) {
  const StrategyInfo& info = *selection.info;
  Assignment pe_of;
  std::string failure;
  try {
    pe_of = info.assign_part(part, selection.options, seed, team);
    if (info.traits & from_library) failure = fault_of(info, part, pe_of);
  } catch (const std::exception& error) {
    failure = error.what();
  }
  agree_on(failure, team);
  return pe_of;
}

}  // namespace

StepPlan decide_in_team(const Selection& selection, const SnapshotPart& part, std::uint64_t seed,
                        Team& team) {
  Assignment pe_of;
  if (part.first.back() > 0) {
    const bool positions = any(!part.objects.position.empty(), team);
    selection.check_needs({.graph = part.graph.empty(), .positions = !positions, .hyperedges = true});
    pe_of = assign_part(selection, part, seed, team);
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
