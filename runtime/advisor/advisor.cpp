// SPDX-License-Identifier: Apache-2.0
#include "skein/advisor.hpp"

#include <algorithm>
#include <utility>

#include "runtime/advisor/couple.hpp"
#include "runtime/advisor/gather.hpp"
#include "runtime/advisor/message_costs.hpp"
#include "skein/lb/drift.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/model.hpp"

namespace skein {
namespace {

double now() { return MPI_Wtime(); }

}  // namespace

struct Advisor::State {
  AdvisorOptions options;
  MPI_Comm comm = MPI_COMM_NULL;
  lb::CostModel cost;
  lb::Learned learned;
  lb::Drift drift;  // per step
  double work_started = 0, worked = 0;
  std::uint64_t steps_measured = 0;
  double movement_predicted = 0;  // of the last advice to balance, until moved()

  void learn(const lb::Snapshot& snapshot, lb::Choice& choice, double look);
};

// All processes learn from the same times: the largest of any.
void Advisor::State::learn(const lb::Snapshot& snapshot, lb::Choice& choice, double look) {
  std::vector<double> times{look};
  for (const lb::Trial& trial : choice.trials) times.push_back(trial.decision_s);
  advisor::reduce_max(comm, times);
  for (std::size_t k = 0; k < choice.trials.size(); ++k) {
    choice.trials[k].decision_s = times[k + 1];
    learned.learn(snapshot, choice.trials[k]);
  }
  lb::correct_meeting(cost, times[0], choice.trials);
}

Advisor::Advisor(MPI_Comm comm, const AdvisorOptions& options) : state_(std::make_unique<State>()) {
  state_->options = options;
  MPI_Comm_dup(comm, &state_->comm);
  state_->cost = advisor::measure_messages(state_->comm);
}

Advisor::~Advisor() {
  if (state_) MPI_Comm_free(&state_->comm);
}
Advisor::Advisor(Advisor&&) noexcept = default;
Advisor& Advisor::operator=(Advisor&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

void Advisor::begin_work() { state_->work_started = now(); }
void Advisor::end_work() { add_work(now() - state_->work_started); }
void Advisor::add_work(double seconds) { state_->worked += seconds; }

Advice Advisor::advise(std::span<const AdvisorElement> elements, std::span<const AdvisorEdge> edges,
                       std::span<const std::array<float, 3>> positions, std::uint64_t steps) {
  State& state = *state_;
  const double start = now();
  const advisor::Gathered gathered =
      advisor::gather(state.comm, {elements, edges, positions, std::exchange(state.worked, 0.0), steps});
  const lb::Snapshot& snapshot = gathered.snapshot;
  state.steps_measured += steps;

  Advice advice;
  advice.model = advisor::quality(gathered.modelled, gathered.measured);
  advice.imbalance_percent = advice.imbalance_after_percent = advice.model.measured.imbalance_percent;
  advice.strategy = "none";
  if (snapshot.object_count() == 0) return advice;

  // An interval is what was measured.
  const double interval_steps = static_cast<double>(std::max<std::uint64_t>(steps, 1));
  state.drift.observe(snapshot, interval_steps);
  const lb::Drift::Fading fading = state.drift.fading(interval_steps);
  const double ahead = state.options.horizon_steps > 0 ? state.options.horizon_steps
                                                       : static_cast<double>(state.steps_measured);
  const std::vector<lb::Selection> candidates = lb::candidates_for(snapshot);
  lb::Choice choice = lb::choose(snapshot, state.learned,
                                 {.candidates = candidates,
                                  .cost = state.cost,
                                  .horizon = lb::horizon_of(ahead / interval_steps, fading),
                                  .seed = state.options.seed,
                                  .clock = now});
  state.learn(snapshot, choice, now() - start);

  advice.strategy = choice.row().strategy;
  advice.balance = choice.chosen != 0;
  advice.gain_s = choice.gain_s();
  advice.imbalance_after_percent = lb::percent_imbalance(snapshot, choice.assignment);
  advice.table = lb::describe(choice);
  for (std::size_t k = 0; k < elements.size(); ++k)
    advice.process.push_back(static_cast<int>(choice.assignment[gathered.first + k]));
  state.movement_predicted = lb::movement_seconds(snapshot, choice.assignment, state.cost);
  return advice;
}

void Advisor::moved(double seconds) {
  advisor::reduce_max(state_->comm, std::span(&seconds, 1));
  lb::correct_movement(state_->cost, std::exchange(state_->movement_predicted, 0.0), seconds);
}

}  // namespace skein
