// SPDX-License-Identifier: Apache-2.0
#include "lb/model/outlook.hpp"

#include <algorithm>
#include <cmath>

#include "lb/kernel/levels.hpp"
#include "skein/lb/expected_largest.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

/// Steps of diffusion that a prediction follows: load that has not flowed by then flows too slowly to matter.
constexpr std::size_t kMostSteps = 200;

/// Bounds of learned figures, so that one odd snapshot does not make a strategy look impossible.
constexpr double kMostLeft = 10;
constexpr double kMostScatter = 4;
constexpr double kMostCrowding = 4, kLeastCrowding = 1.0 / 32;
constexpr double kLeastPace = 1.0 / 32;

/// Returns the neighbours of PEs for a strategy that acts at every step: by its own key, or by the messages.
PeGraph stepwise_links(const Selection& strategy, const Snapshot& snapshot) {
  const bool has_graph = strategy.options.declares("graph", KeyType::choice);
  return make_pe_graph(has_graph ? strategy.options.choice("graph") : "known", snapshot);
}

}  // namespace

Outlook::Outlook(const Snapshot& snapshot, const CostModel& cost, double spread, bool may_split)
    : snapshot_(snapshot),
      cost_(cost),
      finish_(finish_times(snapshot, snapshot.objects.pe)),
      perfect_(perfect_finish(snapshot)),
      spread_s_(snapshot.objects.level.empty() ? spread * perfect_ : 0),
      may_split_(may_split) {
  const Objects& objects = snapshot.objects;
  double bytes = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    load_ += objects.load[i];
    bytes += static_cast<double>(objects.bytes[i]);
  }
  if (objects.level.empty())
    add_bounds(snapshot);
  else
    for (const Level& level : levels_of(snapshot)) add_bounds(level.alone);
  if (load_ > 0)
    movement_s_per_load_ =
        (static_cast<double>(objects.size()) * cost.object_s + bytes * cost.byte_s) / load_;
  least_crowding_ = find_least_crowding();
  const MessageCosts messages = message_costs(snapshot, objects.pe, cost);
  traffic_s_ = messages.all_s;
  remote_s_ = messages.remote_s;
  present_s_ = interval_seconds(snapshot, {objects.pe, {}}, cost, spread_s_);
}

double Outlook::expected_alone(double largest) const {
  if (spread_s_ == 0) return largest;
  std::vector<double> times(finish_.size(), perfect_);
  times[0] = largest;
  return expected_largest(times, spread_s_);
}

void Outlook::add_bounds(const Snapshot& level) {
  const Objects& objects = level.objects;
  const std::vector<double>& speed = level.pes.speed;
  std::vector<double> pinned = level.pes.background_s;
  double heaviest = 0, heaviest_whole = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    heaviest = std::max(heaviest, objects.load[i]);
    if (objects.splittable.empty() || !objects.splittable[i])
      heaviest_whole = std::max(heaviest_whole, objects.load[i]);
    if (!objects.migratable[i]) pinned[objects.pe[i]] += objects.load[i] / speed[objects.pe[i]];
  }
  const double fastest = std::ranges::max(speed), immovable = std::ranges::max(pinned);
  const double perfect = perfect_finish(level);
  least_ += std::max({perfect, heaviest / fastest, immovable});
  least_divided_ += std::max({perfect, heaviest_whole / fastest, immovable});
  const std::vector<double> finish = finish_times(level, objects.pe);
  for (std::size_t p = 0; p < finish.size(); ++p) surplus_ += std::max(0.0, finish[p] - perfect) * speed[p];
}

/// Takes its surplus from each PE by the objects with the most load per cost of their move; the last one may
/// be taken in part.
double Outlook::find_least_crowding() const {
  const Objects& objects = snapshot_.objects;
  const auto cost_of = [&](std::size_t i) {
    return cost_.object_s + static_cast<double>(objects.bytes[i]) * cost_.byte_s;
  };
  std::vector<std::vector<std::size_t>> of_pe(finish_.size());
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (finish_[objects.pe[i]] > perfect_ && objects.migratable[i] && objects.load[i] > 0)
      of_pe[objects.pe[i]].push_back(i);
  double least_s = 0, even_s = 0;  // of the busiest PE
  for (std::size_t p = 0; p < of_pe.size(); ++p) {
    if (of_pe[p].empty()) continue;
    std::ranges::sort(of_pe[p], [&](std::size_t a, std::size_t b) {
      return objects.load[a] * cost_of(b) > objects.load[b] * cost_of(a);
    });
    double left = (finish_[p] - perfect_) * snapshot_.pes.speed[p], seconds = 0;
    even_s = std::max(even_s, left * movement_s_per_load_);
    for (const std::size_t i : of_pe[p]) {
      const double part = std::min(1.0, left / objects.load[i]);
      seconds += part * cost_of(i);
      left -= part * objects.load[i];
      if (left <= 0) break;
    }
    least_s = std::max(least_s, seconds);
  }
  return even_s > 0 ? std::clamp(least_s / even_s, kLeastCrowding, 1.0) : 1;
}

Outlook::Ideal Outlook::ideal(const Selection& strategy) const {
  if (strategy.info->name == "diffusion") {
    const PeGraph graph = make_pe_graph(strategy.options.choice("graph"), snapshot_);
    Spreading spreading = spreading_of(strategy.options);
    spreading.most_steps = std::min(kMostSteps, spreading.most_steps);
    const DiffusionForecast forecast = forecast_diffusion(graph, snapshot_.pes, finish_, spreading);
    return {std::max(least(strategy), forecast.largest.back()), forecast.busiest_at_once};
  }
  double most = 0;
  for (std::size_t p = 0; p < finish_.size(); ++p)
    most = std::max(most, std::abs(finish_[p] - perfect_) * snapshot_.pes.speed[p]);
  return {least(strategy), most};
}

double Outlook::even_movement_s(const Ideal& ideal, double churn) const {
  // Every PE is taken to have as many and as large objects per load. Load that moves without need leaves one
  // PE and comes to another.
  const double needless = churn * (1 - surplus_share());
  return (ideal.moved_load + 2 * needless / static_cast<double>(snapshot_.pe_count()) * load_) *
         movement_s_per_load_;
}

Prediction Outlook::expect(const Selection& strategy, const Character& character) const {
  const Ideal reach = ideal(strategy);
  const double pes = static_cast<double>(snapshot_.pe_count());
  const double moved = surplus_share() + character.churn * (1 - surplus_share());
  const double random_s = (1 - 1 / pes) * traffic_s_;
  const double remote_s =
      std::clamp(remote_s_ + moved * character.scatter * (random_s - remote_s_), 0.0, traffic_s_);

  Prediction row;
  const double crowding = character.crowding > 0 ? character.crowding : least_crowding_;
  row.movement_s = crowding * even_movement_s(reach, character.churn) + cost_.rebuild_s + cost_.meeting_s;
  row.step_s = expected_alone(reach.finish * (1 + character.left)) + 2 * remote_s / pes;
  return row;
}

DiffusionForecast Outlook::forecast_stepwise(const Selection& strategy, const PeGraph& links, double pace,
                                             std::size_t most_steps) const {
  const bool has_gamma = strategy.options.declares("gamma", KeyType::real);
  return forecast_diffusion(links, snapshot_.pes, finish_,
                            {.tolerance = strategy.options.real("tolerance"),
                             .most_steps = most_steps,
                             .gamma = pace * (has_gamma ? strategy.options.real("gamma") : 1),
                             .grain = load_ / static_cast<double>(snapshot_.object_count())});
}

Prediction Outlook::expect_stepwise(const Selection& strategy, const Character& character,
                                    const Horizon& horizon) const {
  const PeGraph links = stepwise_links(strategy, snapshot_);
  const auto most_steps =
      static_cast<std::size_t>(std::min<double>(kMostSteps, std::ceil(horizon.intervals)));
  const DiffusionForecast forecast = forecast_stepwise(strategy, links, character.pace, most_steps);
  const double now_s = messages_s({snapshot_.objects.pe, {}});
  const auto interval_after = [&](std::size_t step) {
    return expected_alone(std::max(least_, forecast.largest[step])) + now_s;  // see added_messages_s()
  };
  Prediction row;
  // At each step every PE tells its neighbours its load.
  row.decision_s = horizon.intervals * cost_.remote_message_s *
                   static_cast<double>(std::ranges::max(links, {}, &std::vector<PeIndex>::size).size());
  const auto flowing = static_cast<double>(forecast.steps());
  row.step_s = interval_after(forecast.steps());
  // Algorithm 2 is linear: after k steps the same fraction is left and has moved of returned imbalance as of
  // the present one.
  const double returns = horizon.fading.returning * perfect_, excess = forecast.largest.front() - perfect_;
  const double alike = excess > 0 ? returns / excess : 0;
  const double all = horizon.fading.real * std::max(0.0, present_s_ - row.step_s);
  double gained_s = 0;
  double backlog = 0, flow = 0;  // of returned imbalance: excess that is left, load that a step moves
  double together = 1;           // so many intervals are counted like the first of them
  for (double k = 1; k - 1 < horizon.intervals; k += together) {
    together = std::max(1.0, std::floor(k / static_cast<double>(kMostSteps)));
    const double count = std::min(together, horizon.intervals - (k - 1));
    const auto step = static_cast<std::size_t>(std::min(k, flowing));
    const auto met = static_cast<std::size_t>(
        std::min(k - 1, flowing));  // steps that the oldest returned imbalance has met

    backlog += together * alike * std::max(0.0, forecast.largest[met] - perfect_);
    if (k - 1 <= flowing) flow += alike * forecast.busiest[met];
    const double moved = flow + (k <= flowing ? forecast.busiest[step] : 0);
    if (moved > 0)
      row.movement_s += std::ceil(count) * (moved * movement_s_per_load_ + cost_.rebuild_s + cost_.meeting_s);

    const double gain = horizon.fading.real * (present_s_ - interval_after(step));
    const double kept = std::pow(horizon.fading.persistence, k);
    const double spared = std::min(k * returns, all) - backlog;
    gained_s += count * (gain * kept + std::clamp(spared, 0.0, std::max(0.0, gain * (1 - kept))));
  }
  row.total_s = row.movement_s + horizon.intervals * present_s_ - gained_s;
  return row;
}

Prediction Outlook::evaluate(const Decision& decision) const {
  Prediction row;
  row.movement_s = movement_seconds(snapshot_, decision.pe_of, cost_, decision.splits) + cost_.meeting_s;
  row.step_s = interval_seconds(snapshot_, decision, cost_, spread_s_);
  row.worked_out = true;
  return row;
}

double Outlook::added_messages_s(const Decision& decision) const {
  return messages_s(decision) - messages_s({snapshot_.objects.pe, {}});
}

double Outlook::messages_s(const Decision& decision) const {
  return interval_seconds(snapshot_, decision, cost_) - computing_seconds(snapshot_, decision);
}

Character Outlook::character_of(const Selection& strategy, const Decision& decision) const {
  const Assignment& pe_of = decision.pe_of;
  Character character;
  if (load_ <= 0) return character;
  const Objects& objects = snapshot_.objects;
  double moved = 0;
  for (std::size_t i = 0; i < pe_of.size(); ++i) moved += pe_of[i] != objects.pe[i] ? objects.load[i] : 0;
  for (const Split& split : decision.splits)
    moved += split.pe != objects.pe[split.object] ? split.fraction * objects.load[split.object] : 0;
  moved /= load_;
  const double needed = surplus_share();
  const double largest = computing_seconds(snapshot_, decision);
  character.left = std::clamp(largest / least(strategy) - 1, 0.0, kMostLeft);
  character.churn = std::clamp((moved - needed) / std::max(1e-9, 1 - needed), 0.0, 1.0);
  const double expected_s = even_movement_s(ideal(strategy), character.churn);
  const double movement_s = movement_seconds(snapshot_, pe_of, cost_, decision.splits) - cost_.rebuild_s;
  if (expected_s > 0 && movement_s > 0)
    character.crowding = std::clamp(movement_s / expected_s, kLeastCrowding, kMostCrowding);
  const double random_s = (1 - 1 / static_cast<double>(snapshot_.pe_count())) * traffic_s_;
  const double room = moved * (random_s - remote_s_);
  if (std::abs(room) > 1e-3 * traffic_s_) {
    const double remote_s = message_costs(snapshot_, pe_of, cost_).remote_s;
    character.scatter = std::clamp((remote_s - remote_s_) / room, -kMostScatter, kMostScatter);
  }
  if (strategy.acts_at_every_point()) {
    const DiffusionForecast one = forecast_stepwise(strategy, stepwise_links(strategy, snapshot_), 1, 1);
    const double expected = one.largest[0] - one.largest.back();
    if (expected > 0) character.pace = std::clamp((one.largest[0] - largest) / expected, kLeastPace, 1.0);
  }
  return character;
}

}  // namespace skein::lb
