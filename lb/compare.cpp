// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/compare.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "lb/kernel/levels.hpp"
#include "skein/lb/model.hpp"

namespace skein::lb {
namespace {

/// Decides as the model of --lb auto does when it knows nothing of the strategies yet.
Decision choose_once(const Snapshot& snapshot, const AutoOptions& options, const CompareInput& input,
                     std::string& chosen) {
  const std::vector<Selection> candidates = candidates_for(snapshot);
  const double intervals = options.horizon > 0 ? options.horizon : input.steps;
  Choice choice = choose(snapshot, {},
                         {.candidates = candidates,
                          .cost = input.cost,
                          .horizon = {intervals},
                          .seed = input.seed,
                          .clock = input.clock,
                          .may_split = true});
  chosen = choice.row().strategy;
  return {std::move(choice.assignment), std::move(choice.splits)};
}

ComparisonRow try_out(const Snapshot& snapshot, const Candidate& candidate, const CompareInput& input) {
  ComparisonRow row;
  row.strategy = candidate.text;
  if (const auto* unavailable = std::get_if<Unavailable>(&candidate.decides)) {
    row.why = unavailable->why;
    return row;
  }
  const auto* automatic = std::get_if<AutoOptions>(&candidate.decides);
  Decision decision;
  try {
    for (int k = 0; k < std::max(1, input.repetitions); ++k) {
      const double start = input.clock ? input.clock() : 0;
      decision = automatic ? choose_once(snapshot, *automatic, input, row.chosen)
                           : std::get<Selection>(candidate.decides).decide(snapshot, input.seed);
      const double took = (input.clock ? input.clock() : 0) - start;
      row.decision_s = k == 0 ? took : std::min(row.decision_s, took);
    }
  } catch (const std::invalid_argument& error) {  // MissingData, and values that do not fit this snapshot
    row.why = error.what();
    return row;
  }
  row.merit = merit_of(snapshot, decision, input.cost);
  row.total_s = row.decision_s + row.merit.movement_s + input.steps * row.merit.step_s;
  return row;
}

Candidate parse_candidate(const std::string& text) {
  if (const std::optional<AutoOptions> automatic = parse_auto(text)) return {text, *automatic};
  return {text, parse_strategy(text)};
}

std::vector<Candidate> all_candidates() {
  std::vector<Candidate> candidates{parse_candidate("auto")};
  for (const StrategyInfo& info : strategies()) {
    const std::string name(info.name);
    if (const std::string why = why_unavailable(info); !why.empty())
      candidates.push_back({name, Unavailable{"strategy '" + name + "' " + why}});
    else
      candidates.push_back(parse_candidate(name));
  }
  return candidates;
}

}  // namespace

Merit merit_of(const Snapshot& snapshot, const Decision& decision, const CostModel& cost) {
  const Assignment& pe_of = decision.pe_of;
  const std::vector<double> finish = finish_times(snapshot, decision);
  return {.imbalance = percent_imbalance(finish, perfect_finish(snapshot)),
          .standard_deviation_s = standard_deviation(finish),
          .skewness = skewness(finish),
          .kurtosis = kurtosis(finish),
          .movement = movement(snapshot, pe_of, decision.splits),
          .idle_pes = static_cast<std::size_t>(std::ranges::count(finish, 0.0)),
          .levels_s = snapshot.objects.level.empty() ? 0 : computing_seconds(snapshot, decision),
          .parts = decision.splits.size(),
          .traffic = communication(snapshot, pe_of),
          .joined = connectivity(snapshot, pe_of),
          .away_bytes = away_bytes(snapshot, pe_of),
          .movement_s = movement_seconds(snapshot, pe_of, cost, decision.splits),
          .step_s = interval_seconds(snapshot, decision, cost)};
}

std::vector<ComparisonRow> compare(const Snapshot& snapshot, std::span<const Candidate> candidates,
                                   const CompareInput& input) {
  std::vector<ComparisonRow> rows;
  for (const Candidate& candidate : candidates) rows.push_back(try_out(snapshot, candidate, input));
  std::ranges::stable_sort(
      rows, {}, [](const ComparisonRow& row) { return std::tuple(row.why.has_value(), row.total_s); });
  return rows;
}

std::vector<Candidate> parse_candidates(std::string_view text) {
  if (text == "all") return all_candidates();
  std::vector<std::string> names;
  while (true) {
    const std::size_t end = text.find(',');
    const std::string_view part = text.substr(0, end);
    // A part key=value without a name in front continues the keys of the strategy before it.
    const bool goes_on = part.find('=') != std::string_view::npos && part.find(':') == std::string_view::npos;
    if (goes_on && !names.empty())
      names.back().append(",").append(part);
    else
      names.emplace_back(part);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  std::vector<Candidate> candidates;
  for (const std::string& name : names) candidates.push_back(parse_candidate(name));
  return candidates;
}

Snapshot with_pes(Snapshot snapshot, std::size_t pes) {
  if (pes == snapshot.pe_count()) return snapshot;
  Objects& objects = snapshot.objects;
  std::vector<ObjectIndex> order(objects.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](ObjectIndex i) { return objects.pe[i]; });
  for (std::size_t k = 0; k < order.size(); ++k)
    objects.pe[order[k]] = static_cast<PeIndex>(k * pes / order.size());
  for (PeIndex& home : snapshot.blocks.home) home = static_cast<PeIndex>(home * pes / snapshot.pe_count());
  snapshot.pes = uniform_pes(pes);
  snapshot.topology = {};
  return snapshot;
}

}  // namespace skein::lb
