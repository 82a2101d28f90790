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

constexpr int kInterval = 20;  // steps that were measured before a decision
constexpr int kPastLooks = 3;  // intervals before it from which the fading of gains was learned

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

Learned taught_by(const World& earlier, std::span<const Selection> strategies) {
  const Snapshot snapshot = measured(earlier, 0);
  Learned learned;
  for (const Selection& strategy : strategies) {
    const Choice choice =
        choose(snapshot, {}, {std::span(&strategy, 1), earlier.measured_machine(), {1e9, 1}, 1, seconds});
    for (const Trial& trial : choice.trials) learned.learn(snapshot, trial);
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
  const Horizon counted{static_cast<double>(outcome.steps), fading.persistence, fading.levelness,
                        fading.real};
  const double start = seconds();
  const Choice choice = choose(snapshot, learned, {globals, cost, counted, 1, seconds, links});
  double in_vain = seconds() - start;
  outcome.picked = choice.row().strategy;

  // Summing the snapshot up is what PEs do each for its own vertices, and then reduce.
  const double sum_start = seconds();
  const Outlook outlook(snapshot, cost, false);
  const double summing = seconds() - sum_start;
  const double pes = static_cast<double>(snapshot.pe_count());
  in_vain += summing / pes - summing + 2 * world.machine().remote_message_s * std::log2(pes);
  // The time of the decision that was used, and of gathering for it, is in the play.
  bool used = false;
  for (const Trial& trial : choice.trials) {
    if (trial.strategy != outcome.picked) continue;
    in_vain -= trial.decision_s;
    used = true;
  }
  if (!choice.trials.empty() && !used) in_vain += world.machine().meeting_s;
  outcome.auto_s =
      std::ranges::find(played, outcome.picked, &Played::name)->total_s[horizon] + std::max(0.0, in_vain);
  return outcome;
}

}  // namespace lbscenarios
