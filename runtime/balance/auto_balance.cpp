// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/auto_balance.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::balance {
namespace {

lb::Snapshot with_scaled_loads(lb::Snapshot snapshot, double factor) {
  for (double& load : snapshot.objects.load) load *= factor;
  return snapshot;
}

/// Bytes that come to the PE to which most come.
double most_arriving(const lb::Objects& objects, const lb::Assignment& pe_of, std::size_t pes) {
  std::vector<double> arriving(pes, 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i)
    if (pe_of[i] != objects.pe[i]) arriving[pe_of[i]] += static_cast<double>(objects.bytes[i]);
  return std::ranges::max(arriving);
}

}  // namespace

StepFigures reduce(const StepFigures& mine) {
  std::vector<double> most{-mine.meeting_s, mine.thinking_s, mine.moving_s, mine.met_pages};
  net::max_of_all(most);
  return {-most[0], most[1], most[2], most[3]};
}

void reduce(std::vector<lb::Trial>& trials) {
  if (trials.empty()) return;
  std::vector<double> times;
  for (const lb::Trial& trial : trials) times.push_back(trial.decision_s);
  net::max_of_all(times);
  for (std::size_t i = 0; i < trials.size(); ++i) trials[i].decision_s = times[i];
}

lb::Choice AutoBalance::choose(const lb::Snapshot& snapshot, const Interval& interval,
                               const lb::Drift::Fading& fading, std::uint64_t seed) const {
  const double intervals =
      options_.horizon > 0 ? options_.horizon : std::max(1.0, interval.so_far_s / interval.length_s);
  const std::vector<lb::Selection> candidates = lb::candidates_for(snapshot);
  const lb::ChoiceInput input{.candidates = candidates,
                              .cost = cost_,
                              .horizon = lb::horizon_of(intervals, fading),
                              .seed = seed,
                              .clock = seconds,
                              .may_split = true};
  if (interval.seconds_per_load == 1) return lb::choose(snapshot, learned_, input);
  return lb::choose(with_scaled_loads(snapshot, interval.seconds_per_load), learned_, input);
}

void AutoBalance::correct_movement(const lb::Snapshot& snapshot, const lb::Assignment& pe_of, double seen) {
  lb::CostModel in_step = cost_;  // the terms that show in the time of the step
  if (!moves_copy_) in_step.byte_s = 0;
  lb::correct_movement(in_step, lb::movement_seconds(snapshot, pe_of, in_step), seen);
  cost_.object_s = in_step.object_s;
  if (moves_copy_) cost_.byte_s = in_step.byte_s;
}

void AutoBalance::correct_paging(double met_pages) {
  if (moves_copy_ || arrived_ == 0) return;
  const double seen = std::min(1.0, met_pages * static_cast<double>(arena::page_bytes) / arrived_);
  touched_ = (touched_ + seen) / 2;
  cost_.byte_s = page_in_s_ * touched_;
}

void AutoBalance::learn(const lb::Snapshot& snapshot, const lb::Choice& choice, const StepFigures& step) {
  for (const lb::Trial& trial : choice.trials) learned_.learn(snapshot, trial);
  correct_paging(step.met_pages);
  arrived_ = most_arriving(snapshot.objects, choice.assignment, snapshot.pe_count());
  if (choice.splits.empty()) correct_movement(snapshot, choice.assignment, step.moving_s);
  lb::correct_meeting(cost_, step.look_s(), choice.trials);
}

}  // namespace skein::balance
