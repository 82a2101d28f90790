// SPDX-License-Identifier: Apache-2.0
// Makes parts from measurements. An object's number is found by its id: each id belongs, by a hash, to a
// process that collects the numbers of its ids and answers requests for them.
#include "skein/lb/parallel.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <unordered_map>
#include <utility>

#include "lb/parallel/memory.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/nearest.hpp"
#include "skein/lb/team_messages.hpp"

namespace skein::lb {
namespace {

constexpr ObjectIndex kNowhere = ~ObjectIndex{0};

using Numbers = std::unordered_map<std::uint64_t, ObjectIndex>;

/// Returns the process that an id belongs to. Ids may be consecutive, or multiples of some number.
std::size_t registrar_of(std::uint64_t id, std::size_t processes) {
  return static_cast<std::size_t>((id * 0x9e3779b97f4a7c15u) >> 32) % processes;
}

std::vector<ObjectIndex> number_processes(std::size_t own, Team& team) {
  std::vector<double> counts(team.size());
  counts[team.rank()] = static_cast<double>(own);
  team.sum(counts);
  std::vector<ObjectIndex> first{0};
  for (const double count : counts) first.push_back(first.back() + static_cast<ObjectIndex>(count));
  return first;
}

Numbers register_ids(const Objects& objects, ObjectIndex first, Team& team) {
  struct Entry {
    std::uint64_t id;
    std::uint64_t number;
  };
  Lists<Entry> out(team.size());
  for (std::size_t i = 0; i < objects.size(); ++i)
    out[registrar_of(objects.id[i], team.size())].push_back({objects.id[i], first + i});
  Numbers registered;
  for (const auto& entries : exchange_lists(out, team))
    for (const Entry& entry : entries) registered.emplace(entry.id, static_cast<ObjectIndex>(entry.number));
  return registered;
}

/// Returns the numbers of the objects that edges lead to.
Numbers ask_for(const std::vector<EdgeToId>& edges, const Numbers& registered, Team& team) {
  Lists<std::uint64_t> wanted(team.size());
  for (const EdgeToId& edge : edges) wanted[registrar_of(edge.to, team.size())].push_back(edge.to);
  for (auto& ids : wanted) {
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
  }
  Lists<ObjectIndex> answers(team.size());
  const Lists<std::uint64_t> asked = exchange_lists(wanted, team);
  for (std::size_t p = 0; p < asked.size(); ++p)
    for (const std::uint64_t id : asked[p]) {
      const auto found = registered.find(id);
      answers[p].push_back(found == registered.end() ? kNowhere : found->second);
    }
  const Lists<ObjectIndex> numbers = exchange_lists(answers, team);
  Numbers known;
  for (std::size_t p = 0; p < wanted.size(); ++p)
    for (std::size_t k = 0; k < wanted[p].size(); ++k) known.emplace(wanted[p][k], numbers[p][k]);
  return known;
}

/// Returns the graph's rows; edges between the same two objects are added up.
CommGraph rows_of(std::size_t objects, const std::vector<EdgeToId>& edges, const Numbers& numbers) {
  std::vector<CommEdge> found;
  for (const EdgeToId& edge : edges)
    if (const ObjectIndex to = numbers.at(edge.to); to != kNowhere)
      found.push_back({edge.from, to, edge.bytes, edge.messages});
  std::ranges::stable_sort(found, {}, [](const CommEdge& edge) { return std::pair(edge.from, edge.to); });
  CommGraph graph;
  graph.first.push_back(0);
  std::size_t at = 0;
  for (ObjectIndex i = 0; i < objects; ++i) {
    while (at < found.size() && found[at].from == i) {
      const ObjectIndex to = found[at].to;
      double bytes = 0;
      std::uint32_t messages = 0;
      for (; at < found.size() && found[at].from == i && found[at].to == to; ++at) {
        bytes += found[at].bytes;
        messages += found[at].messages;
      }
      graph.to.push_back(to);
      graph.bytes.push_back(static_cast<float>(bytes));
      graph.messages.push_back(messages);
    }
    graph.first.push_back(graph.to.size());
  }
  return graph;
}

}  // namespace

std::size_t SnapshotPart::process_of(ObjectIndex number) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(first, number) - first.begin()) - 1;
}

SnapshotPart make_part(const MeasuredPart& measured, Team& team) {
  // All processes must know whether all objects have positions.
  const auto lacks_position = [](const MeasuredObject& one) { return !one.position && !one.ended; };
  const bool none = any(std::ranges::any_of(measured.objects, lacks_position), team);
  Snapshot own = make_snapshot(
      {.objects = measured.objects, .node_of_pe = measured.node_of_pe, .speed_of_pe = measured.speed_of_pe});
  if (none) own.objects.position.clear();
  own.objects.splittable.clear();
  own.objects.level.clear();

  SnapshotPart part;
  part.objects = std::move(own.objects);
  part.pes = std::move(own.pes);
  part.first = number_processes(part.object_count(), team);
  if (!measured.has_edges) return part;
  const Numbers registered = register_ids(part.objects, part.first[team.rank()], team);
  part.graph = rows_of(part.object_count(), measured.edges, ask_for(measured.edges, registered, team));
  return part;
}

SnapshotPart part_of(const Snapshot& snapshot, PeIndex first_pe, PeIndex end_pe, Team& team) {
  const Objects& all = snapshot.objects;
  MeasuredPart measured;
  measured.has_edges = !snapshot.graph.empty();
  measured.node_of_pe = snapshot.pes.node;
  measured.speed_of_pe = snapshot.pes.speed;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.pe[i] < first_pe || all.pe[i] >= end_pe) continue;
    const auto place = static_cast<ObjectIndex>(measured.objects.size());
    measured.objects.push_back({.id = all.id[i],
                                .pe = all.pe[i],
                                .load = all.load[i],
                                .bytes = all.bytes[i],
                                .may_move = all.migratable[i] != 0});
    if (!all.position.empty()) measured.objects.back().position = all.position[i];
    if (!measured.has_edges) continue;
    for (std::uint64_t e = snapshot.graph.first[i]; e < snapshot.graph.first[i + 1]; ++e)
      measured.edges.push_back(
          {place, all.id[snapshot.graph.to[e]], snapshot.graph.bytes[e], snapshot.graph.messages[e]});
  }
  SnapshotPart part = make_part(measured, team);
  part.pes = snapshot.pes;
  return part;
}

std::vector<double> finish_times(const SnapshotPart& part, const Assignment& pe_of, Team& team) {
  std::vector<double> finish(part.pe_count(), 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i) finish[pe_of[i]] += part.objects.load[i];
  team.sum(finish);
  for (std::size_t p = 0; p < finish.size(); ++p)
    finish[p] = part.pes.background_s[p] + finish[p] / part.pes.speed[p];
  return finish;
}

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

/// Returns a fault in the result of a library's strategy, else an empty text.
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
    selection.check_needs(
        {.graph = part.graph.empty(), .positions = !positions, .hyperedges = true, .levels = true});
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
  std::vector<std::string_view> names;
  for (const StrategyInfo& info : strategies())
    if (info.assign_part) names.push_back(info.name);
  return listed(names);
}

}  // namespace skein::lb
