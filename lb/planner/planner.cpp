// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "lb/planner/auto_balance.hpp"
#include "lb/planner/forecast.hpp"
#include "skein/lb/drift.hpp"
#include "skein/lb/grain.hpp"
#include "skein/lb/interval.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/period.hpp"
#include "skein/lb/planner.hpp"

namespace skein::lb {
namespace {

// ---- The reason for the plan of an LB step, in a sentence that a user understands.
std::string seconds_text(double s) {
  const char* unit = "s";
  if (s < 0.9995e-3)
    s *= 1e6, unit = "us";
  else if (s < 0.9995)
    s *= 1e3, unit = "ms";
  char text[40];
  std::snprintf(text, sizeof text, "%.*f %s", s < 9.95 ? 1 : 0, s, unit);
  return text;
}

/// Returns "PE 3 took 38 % more than the mean over 12 sync points"; "over 1.2 s" if none were counted.
std::string found(const FinishTimes& before, const Interval& interval) {
  const auto fullest = std::ranges::max_element(before.of_pe) - before.of_pe.begin();
  char text[120];
  std::snprintf(text, sizeof text, " took %.0f %% more than the mean over ", before.imbalance_percent());
  const std::string points =
      std::to_string(interval.points) + (interval.points == 1 ? " sync point" : " sync points");
  return (before.of_pe.size() > 1 ? "PE " + std::to_string(fullest) : std::string("the fullest PE")) + text +
         (interval.points == 0 ? seconds_text(interval.length_s) : points);
}

double cost_of(const Prediction& row) { return row.decision_s + row.movement_s; }

/// Returns the gain of a row over `none`, without subtracting its costs.
double gain_of(const Choice& choice, const Prediction& row) {
  return choice.rows[0].total_s - row.total_s + cost_of(row);
}

/// Returns "costs 4.0 ms and will gain about 200 ms".
std::string weighed(const Choice& choice, const Prediction& row, const char* costs, const char* gains) {
  return costs + seconds_text(cost_of(row)) + gains + seconds_text(gain_of(choice, row));
}

std::string why_chosen(const StepPlan& plan, const Choice& choice) {
  const Prediction& row = choice.row();
  if (!plan.moves) {
    const auto best =
        std::ranges::min_element(choice.rows.begin() + 1, choice.rows.end(), {}, &Prediction::total_s);
    if (best == choice.rows.end() || gain_of(choice, *best) <= 0) return "no strategy gains anything";
    return best->strategy + weighed(choice, *best, " would cost ", " and gain about ");
  }
  if (gain_of(choice, row) <= cost_of(row))
    return "nothing gains more than it costs, but another placement may have PEs wait less for each other";
  return "the step" + weighed(choice, row, " costs ", " and will gain about ");
}

/// Returns the reason. `choice` has several rows if --lb auto chose. `only_measured`: nothing was to be
/// decided.
std::string why(const StepPlan& plan, const Interval& interval, const Choice& choice, bool only_measured) {
  const std::string head = found(plan.before, interval) + "; ";
  if (only_measured) return head + "that is the program's beginning, by which nothing is moved";
  if (choice.rows.size() > 1) return head + why_chosen(plan, choice);
  return head + (plan.moves ? plan.strategy + " levels it" : "nothing better was found by " + plan.strategy);
}

/// The first interval in which the gain of a step shows returning imbalance: the gain after the first step
/// shows the program's beginning, the next gain the imbalance that was there from the first.
constexpr std::uint64_t kFirstGain = 3;
/// The first interval with a placement that was decided.
constexpr std::uint64_t kFirstLevelled = 2;

std::size_t fullest_of(const std::vector<double>& finish) {
  return static_cast<std::size_t>(std::ranges::max_element(finish) - finish.begin());
}

/// Returns the excess in parts of the fullest PE's time.
double excess_of(const FinishTimes& finish) {
  return finish.largest() > 0 ? finish.excess() / finish.largest() : 0;
}

/// Returns the decision of the strategy as a choice of one row.
Choice choice_of(std::string_view strategy, Decision decision) {
  Choice choice;
  choice.rows.push_back({.strategy = std::string(strategy)});
  choice.assignment = std::move(decision.pe_of);
  choice.splits = std::move(decision.splits);
  choice.cells = std::move(decision.cells);
  return choice;
}

}  // namespace

bool PlannerConfig::is_distributed() const {
  return strategy && strategy->info->begin && !strategy->by_level && !cannot_move && memory_bytes == 0 &&
         !keeps_snapshots && load_model.changes_nothing();
}

double FinishTimes::largest() const { return std::ranges::max(of_pe); }
double FinishTimes::imbalance_percent() const { return percent_imbalance(of_pe, perfect); }

struct Planner::State {
  PlannerConfig config;
  DecisionTimer timer;
  std::optional<LoadHistory> history;     // empty: the model of loads changes nothing
  std::optional<Forecast> forecast;       // only with a history, if there is a model or an auto_period
  std::optional<AutoBalance> model;       // with --lb auto
  std::optional<AutoPeriod> auto_period;  // with --lb-period auto
  Drift drift;                            // per sync point; observes if there is a model or an auto_period

  Snapshot snapshot;                   // of the last step
  std::vector<double> expected_loads;  // of the snapshot's objects in the next interval; empty: as measured
  Choice choice;
  std::vector<Cell> cells;  // the cells of the last decision
  double left = 0;          // the excess that the last step left
  /// The fullest PE of the last interval, and the PE expected to be the fullest in the next one.
  std::size_t fullest = 0, expected_fullest = 0;

  /// With a period of seconds, steps are counted instead of points.
  double points_in(const Interval& interval) const {
    return config.period.seconds > 0 ? 1 : static_cast<double>(interval.points);
  }

  std::vector<double> expect(const Interval& interval) {
    if (history) return history->add(snapshot);
    // What a program declares holds for the next interval.
    if (forecast && interval.loads_grow) return forecast->add(snapshot, points_in(interval));
    return {};
  }

  /// Returns true for the first interval of an automatic period. It is usually the program's beginning, which
  /// tells nothing of later intervals: moves by it would be in vain. The next step is one point later.
  bool is_beginning(const Interval& interval) const { return auto_period && interval.index == 0; }

  Choice decide(const Snapshot& expected, const Interval& interval, std::uint64_t seed) {
    const bool beginning = is_beginning(interval);
    // What the strategy lacks is reported before the job has run for long.
    if (beginning && config.strategy && expected.object_count() > 0)
      config.strategy->check_needs(lacking_in(expected));
    if (!config.balances() || config.cannot_move || beginning)
      return choice_of("none", {expected.objects.pe, {}, expected.pes.cells});
    if (model) return model->choose(expected, interval, drift.fading(points_in(interval)), seed, timer);
    return choice_of(config.strategy->info->name, config.strategy->decide(expected, seed));
  }
};

Planner::Planner(PlannerConfig config, const CostModel& costs, bool moves_copy, DecisionTimer timer)
    : state_(std::make_unique<State>()) {
  state_->config = std::move(config);
  state_->timer = std::move(timer);
  const PlannerConfig& given = state_->config;
  if (given.automatic) state_->model.emplace(*given.automatic, costs, moves_copy);
  if (given.period.automatic) state_->auto_period.emplace();
  if (!given.load_model.changes_nothing())
    state_->history.emplace(given.load_model);
  else if (learns())
    state_->forecast.emplace();
}
Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;
Planner::~Planner() = default;

const PlannerConfig& Planner::config() const { return state_->config; }

const Snapshot& Planner::take(Snapshot snapshot, const Interval& interval) {
  snapshot.step = interval.index;
  if (interval.loads_grow) {
    snapshot.interval_s = interval.length_s;
    snapshot.interval_points = interval.points;
  }
  if (state_->config.memory_bytes > 0)
    snapshot.pes.memory_bytes.assign(snapshot.pe_count(), state_->config.memory_bytes);
  if (state_->cells.size() == snapshot.pe_count()) snapshot.pes.cells = state_->cells;
  state_->snapshot = std::move(snapshot);
  state_->expected_loads = state_->expect(interval);
  // The first interval is usually the program's beginning, which tells nothing of later ones.
  if (learns() && interval.index > 0)
    state_->drift.observe(state_->snapshot, state_->points_in(interval), state_->expected_loads);
  return state_->snapshot;
}

StepPlan Planner::plan(const Interval& interval) {
  State& state = *state_;
  const Snapshot& snapshot = state.snapshot;
  Snapshot with_expected;
  if (!state.expected_loads.empty()) {
    with_expected = snapshot;
    with_expected.objects.load = state.expected_loads;
  }
  const Snapshot& next = state.expected_loads.empty() ? snapshot : with_expected;
  state.choice = state.decide(next, interval, seed_of(interval));
  state.cells = std::move(state.choice.cells);
  Decision decision{state.choice.assignment, state.choice.splits};
  if (state.auto_period) state.expected_fullest = fullest_of(finish_times(next, decision));
  const double perfect = perfect_finish(snapshot);
  StepPlan plan{.strategy = state_->choice.row().strategy,
                .before = {finish_times(snapshot, snapshot.objects.pe), perfect},
                .after = {finish_times(snapshot, decision), perfect},
                .moves = decision.pe_of != snapshot.objects.pe || !decision.splits.empty()};
  if (state_->config.memory_bytes > 0) plan.held_bytes = held_bytes(snapshot, decision.pe_of);
  if (state_->config.tells_loads) plan.loads = {snapshot.object_count(), quantiles_of(snapshot.objects.load)};
  plan.decision = std::move(decision);
  return plan;
}

StepPlan Planner::plan_of(FinishTimes before, FinishTimes after, bool moves) const {
  return {.strategy = std::string(state_->config.strategy->info->name),
          .before = std::move(before),
          .after = std::move(after),
          .moves = moves};
}

bool Planner::only_measures(const Interval& interval) const { return state_->is_beginning(interval); }

void Planner::forget() {
  state_->snapshot = {};
  state_->expected_loads.clear();
}
bool Planner::learns() const { return state_->model || state_->auto_period; }
std::span<Trial> Planner::trials() { return state_->choice.trials; }
std::string Planner::reasons() const { return describe(state_->choice); }
std::string Planner::why(const StepPlan& plan, const Interval& interval) const {
  return lb::why(plan, interval, state_->choice, state_->is_beginning(interval));
}

std::optional<std::uint64_t> Planner::learn(const StepPlan& plan, const Interval& interval,
                                            const StepFigures& step) {
  if (state_->model && !state_->config.cannot_move)
    state_->model->learn(state_->snapshot, state_->choice, step);
  if (!state_->auto_period) return std::nullopt;
  PeriodInput input{.points = interval.points,
                    .interval_s = interval.length_s,
                    .look_s = step.look_s(),
                    .moving_s = step.moving_s,
                    .chance_s = std::max(0.0, interval.waited_s[state_->fullest] - step.meeting_s)};
  if (interval.index >= kFirstGain)
    input.gained_s = std::ranges::max(interval.unmoved_s) - std::ranges::max(interval.took_s);
  if (interval.index >= kFirstLevelled) input.returned = std::max(0.0, excess_of(plan.before) - state_->left);
  state_->left = excess_of(plan.after);
  state_->fullest = state_->config.is_distributed() ? fullest_of(plan.after.of_pe) : state_->expected_fullest;
  if (state_->is_beginning(interval)) return 1;
  return state_->auto_period->next(input);
}

}  // namespace skein::lb
