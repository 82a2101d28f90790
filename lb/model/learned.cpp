// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "skein/lb/model.hpp"

namespace skein::lb {
namespace {

/// What a decision of a strategy that was never seen takes per element; one that is in memory and sorted
/// takes a tenth of it on today's processors, a multilevel partitioner a few times as much.
constexpr double kUnknownElement = 1e-6;
/// A strategy that acts at every step takes so much per element of a step: it looks at each object once.
constexpr double kUnknownStep = 1e-7;
/// The weight of what is new: figures of a run change with the run.
constexpr double kNew = 0.5;
/// One movement alone tells little of the machine: a PE may have been late.
constexpr double kMostCorrection = 2;

double elements(const Snapshot& snapshot) {
  return static_cast<double>(snapshot.object_count() + snapshot.pe_count() + snapshot.graph.edge_count());
}

/// The sum of factor^k for k = 1, 2, ... count.
double geometric_sum(double factor, double count) {
  return factor >= 1 ? count : factor * (1 - std::pow(factor, count)) / (1 - factor);
}

double mix(double old, double now) { return old + kNew * (now - old); }

std::optional<double> mix(const std::optional<double>& old, const std::optional<double>& now) {
  return old && now ? mix(*old, *now) : now ? now : old;
}

}  // namespace

void Learned::learn(const Snapshot& snapshot, const Trial& trial) {
  Character now = trial.character;
  now.element_s = trial.decision_s / elements(snapshot);
  const auto [place, first] = characters_.try_emplace(trial.strategy, now);
  if (first) return;
  Character& known = place->second;
  known = {mix(known.element_s, now.element_s),
           mix(known.left, now.left),
           mix(known.churn, now.churn),
           mix(known.scatter, now.scatter),
           mix(known.crowding, now.crowding),
           mix(known.behind_best, now.behind_best),
           mix(known.pace, now.pace)};
}

std::string row_name(const Selection& strategy) {
  std::string name(strategy.info->name);
  if (strategy.acts_at_every_point()) name.append(":").append(kEveryStepKey);
  return name;
}

Character Learned::character(const Selection& strategy) const {
  const auto place = characters_.find(row_name(strategy));
  if (place != characters_.end()) return place->second;
  Character ideal;
  ideal.crowding = 0;
  if (strategy.acts_at_every_point()) {
    ideal.element_s = kUnknownStep;
    return ideal;
  }
  if (strategy.info->traits & afresh) ideal.churn = ideal.crowding = 1;
  ideal.element_s = kUnknownElement;
  for (const auto& [name, known] : characters_) ideal.element_s = std::max(ideal.element_s, known.element_s);
  return ideal;
}

double Learned::decision_seconds(const Selection& strategy, const Snapshot& snapshot) const {
  return character(strategy).element_s * elements(snapshot);
}

void correct_movement(CostModel& cost, double predicted_s, double seen_s) {
  if (predicted_s <= 0 || seen_s <= 0) return;
  const double factor = std::clamp(seen_s / predicted_s, 1 / kMostCorrection, kMostCorrection);
  cost.object_s *= factor;
  cost.byte_s *= factor;
}

Horizon horizon_of(double intervals, const Drift::Fading& fading) {
  return {.intervals = intervals,
          .persistence = fading.persistence,
          .returning = fading.returning,
          .real = fading.real};
}

void correct_meeting(CostModel& cost, double look_s, std::span<const Trial> trials) {
  for (const Trial& trial : trials) look_s -= trial.decision_s;
  const double seen_s = std::max(0.0, look_s);
  cost.meeting_s = cost.meeting_s > 0 ? mix(cost.meeting_s, seen_s) : seen_s;
}

double Horizon::effective() const { return real * geometric_sum(persistence, intervals); }

double total_seconds(const Prediction& row, double present_s, const Horizon& horizon) {
  return row.decision_s + row.movement_s + horizon.intervals * present_s -
         horizon.effective() * (present_s - row.step_s);
}

}  // namespace skein::lb
