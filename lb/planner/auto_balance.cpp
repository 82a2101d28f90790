// SPDX-License-Identifier: Apache-2.0
#include "lb/planner/auto_balance.hpp"

#include <algorithm>
#include <vector>

namespace skein::lb {
namespace {

/// The part of the time between steps that may be spent on decisions that promise no gain.
constexpr double kToSpend = 0.003;
/// The part of the time since the first sync point that one decision may take: a longer one, if it fails,
/// costs a short run more than others gain.
constexpr double kMostDecision = 0.02;
/// PEs wait longer for messages than these take, because a sender may wait itself, or have others to run
/// first. Longer waits have other causes, and are not put down to messages.
constexpr double kMostShown = 3;

Snapshot with_scaled_loads(Snapshot snapshot, double factor) {
  for (double& load : snapshot.objects.load) load *= factor;
  return snapshot;
}

/// Returns the bytes that come to the PE that gets most.
double most_arriving(const Objects& objects, const Assignment& pe_of, std::size_t pes) {
  std::vector<double> arriving(pes, 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i)
    if (pe_of[i] != objects.pe[i]) arriving[pe_of[i]] += static_cast<double>(objects.bytes[i]);
  return std::ranges::max(arriving);
}

}  // namespace

Choice AutoBalance::choose(const Snapshot& snapshot, const Interval& interval, const Drift::Fading& fading,
                           std::uint64_t seed, const DecisionTimer& timer) {
  correct_messages(snapshot, interval);
  if (began_s_ < 0) began_s_ = interval.so_far_s - interval.length_s;
  const double passed_s = interval.so_far_s - began_s_;
  const double intervals =
      options_.horizon > 0 ? options_.horizon : std::max(1.0, passed_s / interval.length_s);
  const std::vector<Selection> candidates = candidates_for(snapshot);
  CostModel cost = cost_;
  cost.remote_message_s *= shown_;
  cost.remote_byte_s *= shown_;
  if (cost.in_node) cost.in_node->message_s *= shown_, cost.in_node->byte_s *= shown_;
  const ChoiceInput input{.candidates = candidates,
                          .cost = cost,
                          .horizon = {intervals, fading, !interval.loads_grow},
                          .seed = seed,
                          .clock = timer.clock,
                          .decision_seconds = timer.decision_seconds,
                          .may_split = true,
                          .to_spend_s = kToSpend * interval.length_s,
                          .most_decision_s = kMostDecision * passed_s};
  Choice choice = interval.seconds_per_load == 1
                      ? lb::choose(snapshot, learned_, input)
                      : lb::choose(with_scaled_loads(snapshot, interval.seconds_per_load), learned_, input);
  other_.look_at(choice, snapshot, interval, {.intervals = intervals, .cost = cost_});
  return choice;
}

/// An interval takes at least the computing time of its fullest PE. The time beyond includes the waiting for
/// messages, so it is an upper bound of their cost.
void AutoBalance::correct_messages(const Snapshot& snapshot, const Interval& interval) {
  const std::vector<double> messages = message_costs(snapshot, snapshot.objects.pe, cost_).pe_s;
  const double computing = std::ranges::max(interval.took_s);
  double with_messages = 0;
  for (std::size_t p = 0; p < messages.size(); ++p)
    with_messages = std::max(with_messages, interval.took_s[p] + messages[p]);
  if (with_messages <= computing) return;
  const double shown =
      std::clamp((interval.length_s - computing) / (with_messages - computing), 0.0, kMostShown);
  shown_ = (shown_ + shown) / 2;
}

void AutoBalance::correct_movement(const Snapshot& snapshot, const Assignment& pe_of, double seen) {
  CostModel in_step = cost_;  // the terms that show in the time of the step
  if (!moves_copy_) in_step.byte_s = 0;
  lb::correct_movement(in_step, movement_seconds(snapshot, pe_of, in_step), seen);
  cost_.object_s = in_step.object_s;
  if (moves_copy_) cost_.byte_s = in_step.byte_s;
}

void AutoBalance::correct_paging(double met_bytes) {
  if (moves_copy_ || arrived_ == 0) return;
  const double seen = std::min(1.0, met_bytes / arrived_);
  touched_ = (touched_ + seen) / 2;
  cost_.byte_s = page_in_s_ * touched_;
}

void AutoBalance::learn(const Snapshot& snapshot, const Choice& choice, const StepFigures& step) {
  for (const Trial& trial : choice.trials) learned_.learn(snapshot, trial);
  correct_paging(step.met_bytes);
  arrived_ = most_arriving(snapshot.objects, choice.assignment, snapshot.pe_count());
  if (choice.splits.empty()) correct_movement(snapshot, choice.assignment, step.moving_s);
  correct_meeting(cost_, step.look_s(), choice.trials);
}

}  // namespace skein::lb
