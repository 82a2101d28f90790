// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/auto_balance.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/base/clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::move {
namespace {

lb::Snapshot with_scaled_loads(lb::Snapshot snapshot, double factor) {
  for (double& load : snapshot.objects.load) load *= factor;
  return snapshot;
}

}  // namespace

StepTimes reduce(const StepTimes& mine) {
  std::vector<double> times{mine.interval, -mine.meeting, mine.thinking, mine.moving};
  net::max_of_all(times);
  return {times[0], -times[1], times[2], times[3]};
}

void reduce(std::vector<lb::Trial>& trials) {
  if (trials.empty()) return;
  std::vector<double> times;
  for (const lb::Trial& trial : trials) times.push_back(trial.decision_s);
  net::max_of_all(times);
  for (std::size_t i = 0; i < trials.size(); ++i) trials[i].decision_s = times[i];
}

lb::Choice AutoBalance::choose(const lb::Snapshot& snapshot, double so_far, double interval,
                               const lb::Drift::Fading& fading, std::uint64_t seed) const {
  const double intervals = options_.horizon > 0 ? options_.horizon : std::max(1.0, so_far / interval);
  const std::vector<lb::Selection> candidates = lb::candidates_for(snapshot);
  const lb::ChoiceInput input{.candidates = candidates,
                              .cost = cost_,
                              .horizon = {intervals, fading.persistence, fading.returning, fading.real},
                              .seed = seed,
                              .clock = seconds,
                              .may_split = true};
  const double largest = std::ranges::max(lb::finish_times(snapshot, snapshot.objects.pe));
  if (largest <= interval) return lb::choose(snapshot, learned_, input);
  return lb::choose(with_scaled_loads(snapshot, interval / largest), learned_, input);
}

void AutoBalance::correct_movement(const lb::Snapshot& snapshot, const lb::Assignment& pe_of, double seen) {
  lb::CostModel in_step = cost_;  // the terms that show in the time of the step
  if (!moves_copy_) in_step.byte_s = 0;
  lb::correct_movement(in_step, lb::movement_seconds(snapshot, pe_of, in_step), seen);
  cost_.object_s = in_step.object_s;
  if (moves_copy_) cost_.byte_s = in_step.byte_s;
}

void AutoBalance::learn(const lb::Snapshot& snapshot, const lb::Choice& choice, double look, double moving) {
  for (const lb::Trial& trial : choice.trials) learned_.learn(snapshot, trial);
  if (choice.splits.empty()) correct_movement(snapshot, choice.assignment, moving);
  cost_.meeting_s = cost_.meeting_s > 0 ? (cost_.meeting_s + look) / 2 : look;
}

}  // namespace skein::move
