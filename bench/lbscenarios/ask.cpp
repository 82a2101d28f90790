// SPDX-License-Identifier: Apache-2.0
#include "bench/lbscenarios/ask.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "lb/kernel/pe_graph.hpp"
#include "lb/model/outlook.hpp"

namespace lbscenarios {

using namespace skein::lb;

namespace {

constexpr int kInterval = 20;     // steps that were measured before a decision
constexpr int kPastLooks = 3;     // intervals before it from which the fading of gains was learned
constexpr int kThinkRepeats = 3;  // the least time counts

struct Thought {
  Choice choice;
  double seconds;  // in a run, without the strategies that were worked out
};
// Summing up the snapshot, and what a decision gives, is what PEs do each for its own vertices, and then
// reduce.
Thought think(const Snapshot& snapshot, const Learned& learned, const ChoiceInput& input) {
  Thought thought{{}, 1e300};
  double summing = 1e300;
  for (int repeat = 0; repeat < kThinkRepeats; ++repeat) {
    const double start = seconds();
    thought.choice = choose(snapshot, learned, input);
    const double chosen = seconds();
    const Outlook outlook(snapshot, input.cost, false);
    for (std::size_t trial = 0; trial < thought.choice.trials.size(); ++trial)
      outlook.evaluate({thought.choice.assignment, {}});
    summing = std::min(summing, seconds() - chosen);
    double thinking = chosen - start;
    for (const Trial& trial : thought.choice.trials) thinking -= trial.decision_s;
    thought.seconds = std::min(thought.seconds, thinking);
  }
  const double pes = static_cast<double>(snapshot.pe_count());
  thought.seconds = std::max(0.0, thought.seconds - summing * (1 - 1 / pes));
  return thought;
}

const Played& row_of(const std::vector<Played>& played, std::string_view name) {
  return *std::ranges::find(played, name, &Played::name);
}

}  // namespace

Snapshot measured(const World& world, int step) {
  Snapshot snapshot = world.start();
  world.loads_at(step - kInterval / 2, snapshot.objects.load);
  std::vector<double> disturbance(snapshot.pe_count(), 0);
  for (PeIndex p = 0; p < disturbance.size(); ++p) {
    for (int k = 1; k <= kInterval; ++k) disturbance[p] += world.disturbance(step - k, p) / kInterval;
  }
  for (std::size_t v = 0; v < snapshot.object_count(); ++v)
    snapshot.objects.load[v] *= disturbance[snapshot.objects.pe[v]];
  return snapshot;
}

Learned taught_by(const World& earlier, std::span<const Selection> strategies,
                  std::span<const double> decisions_s) {
  const Snapshot snapshot = measured(earlier, 0);
  Learned learned;
  for (std::size_t k = 0; k < strategies.size(); ++k) {
    const Choice choice =
        choose(snapshot, {}, {strategies.subspan(k, 1), earlier.measured_machine(), {1e9, 1}});
    for (Trial trial : choice.trials) {
      trial.decision_s = decisions_s[k] * earlier.timing_error(trial.strategy);
      learned.learn(snapshot, trial);
    }
  }
  return learned;
}

Drift past_drift(const World& world) {
  Drift drift;
  for (int looks = kPastLooks; looks >= 0; --looks)
    drift.observe(measured(world, -looks * kInterval), kInterval);
  return drift;
}

Outcome ask(const World& world, const Snapshot& snapshot, const Learned& learned, const Drift& drift,
            std::span<const Selection> globals, const std::vector<Played>& played, std::size_t horizon,
            int steps) {
  Outcome outcome{steps, horizon, {}, 0};
  // The program knows with whom its PEs exchange halos.
  const std::vector<std::vector<PeIndex>> links = make_pe_graph("comm", snapshot);
  const CostModel cost = world.measured_machine();
  const Drift::Fading fading = drift.fading();
  const Horizon counted = horizon_of(outcome.steps, fading);
  const Thought thought = think(snapshot, learned, {globals, cost, counted, 1, seconds, links});
  outcome.picked = thought.choice.row().strategy;

  double in_vain = thought.seconds +
                   2 * world.machine().remote_message_s * std::log2(static_cast<double>(snapshot.pe_count()));
  // The time of the decision that was used, and of gathering for it, is in the play.
  bool used = false;
  for (const Trial& trial : thought.choice.trials) {
    used = used || trial.strategy == outcome.picked;
    if (trial.strategy != outcome.picked) in_vain += row_of(played, trial.strategy).decision_s;
  }
  if (!thought.choice.trials.empty() && !used) in_vain += world.machine().meeting_s;
  outcome.auto_s = row_of(played, outcome.picked).total_s[horizon] + in_vain;
  return outcome;
}

}  // namespace lbscenarios
