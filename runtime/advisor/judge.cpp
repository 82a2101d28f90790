// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/judge.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "runtime/advisor/couple.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::advisor {
namespace {

/// Returns the strategies that the model chooses among: all that it may, or the named one. Throws what
/// lb::Selection::check_needs() does, whether or not the strategy is used in the end.
std::vector<lb::Selection> candidates_for(const lb::Snapshot& snapshot, const std::string& named) {
  if (named.empty()) {
    std::vector<lb::Selection> all = lb::candidates_for(snapshot);
    std::ranges::move(lb::stepwise_candidates_for(snapshot), std::back_inserter(all));
    return all;
  }
  lb::Selection one = lb::parse_strategy(named);
  one.check_needs(lb::lacking_in(snapshot));
  return {std::move(one)};
}

}  // namespace

Advice Verdict::for_process(std::size_t p, const Gathered& gathered) const {
  return with_places(advice, assignment, gathered.first[p], gathered.first[p + 1]);
}

Judge::Judge(const AdvisorOptions& options, const lb::CostModel& cost, double (*clock)())
    : options_(options), cost_(cost), clock_(clock) {}

void Judge::learn(const lb::Snapshot& snapshot, lb::Choice& choice, double look,
                  const std::function<void(std::span<double>)>& largest) {
  std::vector<double> times{look};
  for (const lb::Trial& trial : choice.trials) times.push_back(trial.decision_s);
  if (largest) largest(times);
  for (std::size_t k = 0; k < choice.trials.size(); ++k) {
    choice.trials[k].decision_s = times[k + 1];
    learned_.learn(snapshot, choice.trials[k]);
  }
  lb::correct_meeting(cost_, times[0], choice.trials);
}

Verdict Judge::judge(const Gathered& gathered, std::uint64_t steps, double started,
                     const std::function<void(std::span<double>)>& largest) {
  lb::Snapshot going_on;  // starts from the cells of the last decision
  if (cells_.size() == gathered.snapshot.pe_count()) {
    going_on = gathered.snapshot;
    going_on.pes.cells = std::move(cells_);
  }
  const lb::Snapshot& snapshot = going_on.pe_count() > 0 ? going_on : gathered.snapshot;
  steps_measured_ += steps;
  Verdict verdict{staying(gathered.modelled, gathered.measured), gathered.snapshot.objects.pe};
  if (snapshot.object_count() == 0) return verdict;

  // An interval is the measured steps.
  const double interval_steps = static_cast<double>(std::max<std::uint64_t>(steps, 1));
  drift_.observe(snapshot, interval_steps);
  const lb::Drift::Fading fading = drift_.fading(interval_steps);
  const double ahead =
      options_.horizon_steps > 0 ? options_.horizon_steps : static_cast<double>(steps_measured_);
  const std::vector<lb::Selection> candidates = candidates_for(snapshot, options_.strategy);
  lb::Choice choice = lb::choose(snapshot, learned_,
                                 {.candidates = candidates,
                                  .cost = cost_,
                                  .horizon = {ahead / interval_steps, fading},
                                  .seed = options_.seed,
                                  .clock = clock_});
  learn(snapshot, choice, clock_() - started, largest);

  verdict.advice.strategy = choice.row().strategy;
  verdict.advice.balance = choice.chosen != 0;
  verdict.advice.gain_s = choice.gain_s();
  verdict.advice.imbalance_after_percent = lb::percent_imbalance(snapshot, choice.assignment);
  verdict.advice.table = lb::describe(choice);
  movement_predicted_ = lb::movement_seconds(snapshot, choice.assignment, cost_);
  cells_ = std::move(choice.cells);
  verdict.assignment = std::move(choice.assignment);
  return verdict;
}

Verdict Judge::apply_late(const Gathered& then, std::uint64_t steps_then, const Verdict& decided,
                          const Gathered& now, std::uint64_t steps_now) {
  lb::Snapshot before = then.snapshot;
  scale_loads(before.objects.load, steps_then, steps_now);
  lb::LateDecision late = lb::apply_late(before, {decided.assignment, {}}, now.snapshot);

  Advice advice = late_advice(staying(now.modelled, now.measured), decided.advice, late.drift, late.dropped,
                              late.decision.pe_of != now.snapshot.objects.pe);
  movement_predicted_ = advice.balance ? lb::movement_seconds(now.snapshot, late.decision.pe_of, cost_) : 0;
  return {std::move(advice), std::move(late.decision.pe_of)};
}

void Judge::moved(double seconds) {
  lb::correct_movement(cost_, std::exchange(movement_predicted_, 0.0), seconds);
}

}  // namespace skein::advisor
