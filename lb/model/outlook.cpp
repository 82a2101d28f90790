// SPDX-License-Identifier: Apache-2.0
#include "lb/model/outlook.hpp"

#include <algorithm>
#include <cmath>

#include "lb/kernel/pe_graph.hpp"
#include "skein/lb/diffusion_forecast.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

// Steps of diffusion that a prediction follows: what has not come by then comes too slowly to matter.
constexpr std::size_t kMostSteps = 200;

// Bounds of what is learned, so that one odd snapshot does not make a strategy look impossible.
constexpr double kMostLeft = 10;
constexpr double kMostScatter = 4;

double traffic_of(const CommGraph& graph, std::uint64_t edge, const CostModel& cost) {
  return graph.messages[edge] * cost.remote_message_s + graph.bytes[edge] * cost.remote_byte_s;
}

double random_share(const Snapshot& snapshot) { return 1 - 1 / static_cast<double>(snapshot.pe_count()); }

}  // namespace

Outlook::Outlook(const Snapshot& snapshot, const CostModel& cost)
    : snapshot_(snapshot),
      cost_(cost),
      finish_(finish_times(snapshot, snapshot.objects.pe)),
      perfect_(perfect_finish(snapshot)),
      least_(perfect_),
      present_s_(interval_seconds(snapshot, snapshot.objects.pe, cost)) {
  const Objects& objects = snapshot.objects;
  const double fastest = std::ranges::max(snapshot.pes.speed);
  std::vector<double> pinned = snapshot.pes.background_s;
  double bytes = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    load_ += objects.load[i];
    bytes += static_cast<double>(objects.bytes[i]);
    least_ = std::max(least_, objects.load[i] / fastest);
    if (!objects.migratable[i]) pinned[objects.pe[i]] += objects.load[i] / snapshot.pes.speed[objects.pe[i]];
  }
  least_ = std::max(least_, std::ranges::max(pinned));
  for (std::size_t p = 0; p < finish_.size(); ++p)
    surplus_ += std::max(0.0, finish_[p] - perfect_) * snapshot.pes.speed[p];
  object_moves_s_ = static_cast<double>(objects.size()) * cost.object_s + bytes * cost.byte_s;
  for (std::uint64_t e = 0; e < snapshot.graph.edge_count(); ++e)
    traffic_s_ += traffic_of(snapshot.graph, e, cost);
  remote_share_ = remote_share(objects.pe);
}

double Outlook::remote_share(const Assignment& pe_of) const {
  if (traffic_s_ == 0) return 0;
  const CommGraph& graph = snapshot_.graph;
  double remote = 0;
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    for (std::uint64_t e = graph.first[i]; e < graph.first[i + 1]; ++e) {
      if (pe_of[i] != pe_of[graph.to[e]]) remote += traffic_of(graph, e, cost_);
    }
  }
  return remote / traffic_s_;
}

Outlook::Ideal Outlook::ideal(const Selection& strategy) const {
  if (strategy.info->name == "diffusion") {
    const PeGraph graph = make_pe_graph(strategy.options.choice("graph"), snapshot_);
    const auto steps = std::min(kMostSteps, static_cast<std::size_t>(strategy.options.integer("steps")));
    const DiffusionForecast forecast =
        forecast_diffusion(graph, snapshot_.pes, finish_, strategy.options.real("tolerance"), steps);
    return {std::max(least_, forecast.largest.back()), forecast.busiest_at_once};
  }
  double most = 0;
  for (std::size_t p = 0; p < finish_.size(); ++p)
    most = std::max(most, std::abs(finish_[p] - perfect_) * snapshot_.pes.speed[p]);
  return {least_, most};
}

Prediction Outlook::expect(const Selection& strategy, const Character& character) const {
  const Ideal reach = ideal(strategy);
  const double pes = static_cast<double>(snapshot_.pe_count());
  // Objects are taken to be as many and as large per load everywhere. What moves without need leaves one PE
  // and comes to another.
  const double necessary = load_ > 0 ? reach.moved_load / load_ : 0;
  const double needless = character.churn * (1 - (load_ > 0 ? surplus_ / load_ : 0));
  const double moved = (load_ > 0 ? surplus_ / load_ : 0) + needless;
  const double remote = std::clamp(
      remote_share_ + moved * character.scatter * (random_share(snapshot_) - remote_share_), 0.0, 1.0);

  Prediction row;
  row.movement_s = object_moves_s_ * (necessary + 2 * needless / pes) + cost_.meeting_s;
  row.step_s = reach.finish * (1 + character.left) + 2 * remote * traffic_s_ / pes;
  return row;
}

Prediction Outlook::evaluate(const Assignment& pe_of) const {
  Prediction row;
  row.movement_s = movement_seconds(snapshot_, pe_of, cost_) + cost_.meeting_s;
  row.step_s = interval_seconds(snapshot_, pe_of, cost_);
  row.worked_out = true;
  return row;
}

Character Outlook::character_of(const Assignment& pe_of) const {
  Character character;
  if (load_ <= 0) return character;
  const Objects& objects = snapshot_.objects;
  double moved = 0;
  for (std::size_t i = 0; i < pe_of.size(); ++i) moved += pe_of[i] != objects.pe[i] ? objects.load[i] : 0;
  moved /= load_;
  const double needed = surplus_ / load_;
  const double largest = std::ranges::max(finish_times(snapshot_, pe_of));
  character.left = std::clamp(largest / least_ - 1, 0.0, kMostLeft);
  character.churn = std::clamp((moved - needed) / std::max(1e-9, 1 - needed), 0.0, 1.0);
  const double room = moved * (random_share(snapshot_) - remote_share_);
  if (std::abs(room) > 1e-3)
    character.scatter = std::clamp((remote_share(pe_of) - remote_share_) / room, -kMostScatter, kMostScatter);
  return character;
}

}  // namespace skein::lb
