// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/plan.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "runtime/balance/auto_balance.hpp"
#include "runtime/balance/block_exchange.hpp"
#include "runtime/balance/distributed_plan.hpp"
#include "runtime/balance/dump.hpp"
#include "runtime/balance/measured_costs.hpp"
#include "runtime/balance/period.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/drift.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::balance {
namespace {

struct Planning {
  StepConfig config;
  std::optional<lb::LoadHistory> history;     // none: the model of loads changes nothing
  std::optional<AutoBalance> model;           // with --lb auto
  std::optional<lb::AutoPeriod> auto_period;  // with --lb-period auto
  lb::Drift drift;                            // per sync point; observed if one of these two asks for it
  std::vector<bool> told_above_memory;        // by PE

  // What the model of --lb auto learns from; of the last step.
  lb::Snapshot last_snapshot;
  lb::Choice last_choice;
  double last_met_pages = 0;

  // What PEs took in the last interval, with a distributed strategy and --lb-period auto.
  std::vector<double> last_took_s;
};
PerRuntime<Planning> planning;

// The part of the time that looking whether there is anything to balance may take.
constexpr double most_overhead = 0.005;

std::uint64_t seed_of(const Interval& interval) { return planning->config.seed + interval.index; }

/// The part of an imbalance that lasts for an interval like the present one.
double lasting_part() { return planning->drift.persistence(static_cast<double>(points_in_interval())); }

/// Calls `decide`; a failure on any PE ends the job.
template <class Decide>
void decide_or_end(const Interval& interval, Decide decide) {
  try {
    net::together(decide);
  } catch (const Error& error) {
    if (net::world.pe == 0) {
      log_line("LB step %llu: %s", static_cast<unsigned long long>(interval.index + 1), error.what());
      net::take_down(1);
    }
    net::barrier();  // until taken down
  }
}

/// Says so when a PE is found above --lb-memory, and again only after it was below.
void tell_memory(const lb::Snapshot& snapshot, const lb::Assignment& assignment) {
  if (planning->config.memory_bytes == 0 || net::world.pe != 0) return;
  const std::vector<std::uint64_t> held = lb::held_bytes(snapshot, assignment);
  planning->told_above_memory.resize(held.size());
  for (std::size_t pe = 0; pe < held.size(); ++pe) {
    const bool above = held[pe] > planning->config.memory_bytes;
    if (above && !planning->told_above_memory[pe])
      SKEIN_WARN("the %s of PE %zu have %llu bytes in use, more than --lb-memory, and no other PE has room",
                 objects().noun(), pe, static_cast<unsigned long long>(held[pe]));
    planning->told_above_memory[pe] = above;
  }
}

// ---- a strategy that sees all objects

/// What is known of the interval.
lb::Snapshot collect(const Interval& interval) {
  lb::Snapshot snapshot = objects().snapshot();
  snapshot.step = interval.index;
  if (interval.loads_grow) {
    snapshot.interval_s = interval.length_s;
    snapshot.interval_points = interval.points;
  }
  if (planning->config.memory_bytes > 0)
    snapshot.pes.memory_bytes.assign(snapshot.pe_count(), planning->config.memory_bytes);
  if (net::world.pe == 0)
    SKEIN_LOG(verbose, "LB snapshot: %zu objects, %zu edges", snapshot.object_count(),
              snapshot.graph.edge_count());
  return snapshot;
}

/// The files and models that look at every step get to see it, whether or not anything is decided then.
void show(const lb::Snapshot& snapshot, const Interval& interval) {
  write_dump(interval.index, snapshot, objects().busy_in_interval());
  if (planning->model || planning->auto_period)
    planning->drift.observe(snapshot, static_cast<double>(points_in_interval()));
}

/// With the name and the decision of the strategy alone where nothing was chosen. `expected` has the loads
/// that the next interval is expected to have.
lb::Choice decide(const lb::Snapshot& expected, const Interval& interval) {
  lb::Choice choice;
  if (!planning->config.balances() || planning->config.cannot_move) {
    choice.rows.push_back({.strategy = "none"});
    choice.assignment = expected.objects.pe;
  } else if (planning->model) {
    decide_or_end(interval, [&] {
      const lb::Drift::Fading fading = planning->drift.fading(static_cast<double>(points_in_interval()));
      choice = planning->model->choose(expected, interval, fading, seed_of(interval));
    });
    if (net::world.pe == 0) SKEIN_LOG(verbose, "LB auto:\n%s", lb::describe(choice).c_str());
  } else {
    choice.rows.push_back({.strategy = std::string(planning->config.strategy->info->name)});
    decide_or_end(interval, [&] {
      lb::Decision decision = planning->config.strategy->decide(expected, seed_of(interval));
      choice.assignment = std::move(decision.pe_of);
      choice.splits = std::move(decision.splits);
    });
  }
  return choice;
}

lb::Choice decide_by_expected_loads(const lb::Snapshot& snapshot, const Interval& interval) {
  if (!planning->history) return decide(snapshot, interval);
  lb::Snapshot expected = snapshot;
  expected.objects.load = planning->history->add(snapshot);
  return decide(expected, interval);
}

/// All PEs get the snapshot of the whole job and decide alike.
Plan plan_centrally(const Interval& interval) {
  lb::Snapshot snapshot = collect(interval);
  show(snapshot, interval);
  const double decide_start = seconds();
  lb::Choice choice = decide_by_expected_loads(snapshot, interval);
  tell_memory(snapshot, choice.assignment);
  lb::Decision decision{choice.assignment, choice.splits};
  const double perfect = lb::perfect_finish(snapshot);
  Plan plan{.strategy = choice.row().strategy,
            .before = {lb::finish_times(snapshot, snapshot.objects.pe), perfect},
            .after = {lb::finish_times(snapshot, decision), perfect},
            .moves = decision.pe_of != snapshot.objects.pe || !decision.splits.empty(),
            .where = std::move(decision),
            .decide_start = decide_start};
  if (planning->model) {
    if (!planning->config.report_file.empty()) plan.why = lb::describe(choice);
    planning->last_snapshot = std::move(snapshot);
    planning->last_choice = std::move(choice);
  }
  return plan;
}

// ---- a distributed one

/// As Drift::observe(), which has the snapshot.
void observe_drift(const Interval& interval) {
  const auto relative = [](std::vector<double> times) {
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    for (double& time : times) time = mean > 0 ? time / mean : 1;
    return times;
  };
  if (!planning->last_took_s.empty())
    planning->drift.learn(static_cast<double>(points_in_interval()), relative(planning->last_took_s),
                          relative(interval.unmoved_s));
  planning->last_took_s = interval.took_s;
}

/// Each PE decides about its own objects; what all get to know are the PEs' finish times.
Plan plan_distributed(const Interval& interval) {
  if (planning->auto_period) observe_drift(interval);
  DistributedPlan distributed(objects().local());
  const double decide_start = seconds();
  decide_or_end(interval, [&] { distributed.begin(*planning->config.strategy, seed_of(interval)); });
  const DistributedPlan::Outcome outcome = distributed.run();
  const double perfect = std::accumulate(outcome.before.begin(), outcome.before.end(), 0.0) /
                         static_cast<double>(outcome.before.size());
  return {.strategy = std::string(planning->config.strategy->info->name),
          .before = {outcome.before, perfect},
          .after = {outcome.after, perfect},
          .moves = outcome.moves,
          .where = Arrivals{distributed.arrivals()},
          .decide_start = decide_start};
}

/// A memory limit, a dump and the history of a load model look at all objects: with one of them, distributed
/// strategies are played on the snapshot.
bool is_distributed() {
  return planning->config.strategy && planning->config.strategy->info->begin &&
         !planning->config.cannot_move && planning->config.memory_bytes == 0 &&
         planning->config.dump_file.empty() && !planning->history;
}

}  // namespace

double FinishTimes::largest() const { return std::ranges::max(of_pe); }
double FinishTimes::imbalance_percent() const { return lb::percent_imbalance(of_pe, perfect); }

MoveTotals Plan::carry_out() const {
  if (const auto* const arrivals = std::get_if<Arrivals>(&where))
    return moves ? objects().bring(arrivals->objects) : MoveTotals{};
  const auto& decision = std::get<lb::Decision>(where);
  const bool acts = moves || (planning->config.balances() && objects().has_own_changes(decision));
  return acts ? objects().move(decision) : MoveTotals{};
}

void start_planning(const StepConfig& new_config) {
  start_block_exchange();
  planning->config = new_config;
  if (planning->config.automatic)
    planning->model.emplace(*planning->config.automatic, measure_costs(objects().moves_copy()),
                            objects().moves_copy());
  if (planning->config.period.automatic) planning->auto_period.emplace(most_overhead);
  if (!planning->config.load_model.changes_nothing()) planning->history.emplace(planning->config.load_model);
}

Plan make_plan(const Interval& interval) {
  return is_distributed() ? plan_distributed(interval) : plan_centrally(interval);
}

void learn_from(const Plan& plan, const Interval& interval, double thinking_s, double moving_s) {
  if (!planning->model && !planning->auto_period) return;
  const double met = met_pages();
  const StepFigures step = reduce({objects().meeting_seconds(), thinking_s, moving_s,
                                   met - std::exchange(planning->last_met_pages, met)});
  if (planning->model) {
    reduce(planning->last_choice.trials);
    if (!planning->config.cannot_move)
      planning->model->learn(planning->last_snapshot, planning->last_choice, step);
  }
  if (!planning->auto_period) return;
  // What strategies cannot see they cannot level, however often they are asked: loads say how much there is
  // to level, whatever they are, and the seconds that objects took what that costs.
  set_next_step(
      planning->auto_period->next({.points = points_in_interval(),
                                   .interval_s = interval.length_s,
                                   .excess_before_s = plan.before.excess() * interval.seconds_per_load,
                                   .excess_after_s = plan.after.excess() * interval.seconds_per_load,
                                   .look_s = step.look_s(),
                                   .movement_s = step.moving_s,
                                   .persistence = lasting_part()}));
}

}  // namespace skein::balance
