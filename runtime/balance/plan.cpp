// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/plan.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "runtime/balance/auto_balance.hpp"
#include "runtime/balance/distributed_plan.hpp"
#include "runtime/balance/dump.hpp"
#include "runtime/balance/machine_costs.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/period.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/drift.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::balance {
namespace {

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

// Of the last distributed plan, with --lb-period auto.
std::vector<int> last_places;
std::vector<double> last_finish;

// The part of the time that looking whether there is anything to balance may take.
constexpr double most_overhead = 0.005;

std::uint64_t seed_of(const StepTime& time) { return config.seed + time.index; }

/// The part of an imbalance that lasts for an interval like the present one.
double lasting_part() { return drift.persistence(static_cast<double>(points_in_interval())); }

/// Calls `decide`; a failure on any PE ends the job.
template <class Decide>
void decide_or_end(const StepTime& time, Decide decide) {
  try {
    net::together(decide);
  } catch (const Error& error) {
    if (net::world.pe == 0) {
      log_line("LB step %llu: %s", static_cast<unsigned long long>(time.index + 1), error.what());
      net::take_down(1);
    }
    net::barrier();  // until taken down
  }
}

/// Says so when a PE is found above --lb-memory, and again only after it was below.
void tell_memory(const lb::Snapshot& snapshot, const lb::Assignment& assignment) {
  if (config.memory_bytes == 0 || net::world.pe != 0) return;
  const std::vector<std::uint64_t> held = lb::held_bytes(snapshot, assignment);
  told_above_memory.resize(held.size());
  for (std::size_t pe = 0; pe < held.size(); ++pe) {
    const bool above = held[pe] > config.memory_bytes;
    if (above && !told_above_memory[pe])
      SKEIN_WARN("the %s of PE %zu have %llu bytes in use, more than --lb-memory, and no other PE has room",
                 objects().noun, pe, static_cast<unsigned long long>(held[pe]));
    told_above_memory[pe] = above;
  }
}

/// With the name and the decision of the strategy alone where nothing was chosen. `snapshot` has the loads
/// that the next interval is expected to have.
lb::Choice decide(const lb::Snapshot& snapshot, const StepTime& time) {
  lb::Choice choice;
  if (model) {
    // All PEs must choose by the same times: those of PE 0.
    std::array<double, 2> times{time.so_far_s, time.interval_s};
    net::broadcast(times.data(), sizeof times, 0);
    decide_or_end(time, [&] {
      const lb::Drift::Fading fading = drift.fading(static_cast<double>(points_in_interval()));
      choice = model->choose(snapshot, times[0], times[1], fading, seed_of(time));
    });
    if (net::world.pe == 0) SKEIN_LOG(verbose, "LB auto:\n%s", lb::describe(choice).c_str());
  } else {
    choice.rows.push_back({.strategy = std::string(config.strategy->info->name)});
    decide_or_end(time, [&] {
      lb::Decision decision = config.strategy->decide(snapshot, seed_of(time));
      choice.assignment = std::move(decision.pe_of);
      choice.splits = std::move(decision.splits);
    });
  }
  return choice;
}

/// All PEs get the snapshot of the whole job and decide alike.
Plan plan_centrally(const StepTime& time) {
  lb::Snapshot snapshot = objects().collect();
  snapshot.step = time.index;
  if (config.memory_bytes > 0) snapshot.pes.memory_bytes.assign(snapshot.pe_count(), config.memory_bytes);
  write_dump(time.index, snapshot, objects().busy_in_interval());
  if (model || auto_period) drift.observe(snapshot, static_cast<double>(points_in_interval()));
  Plan plan;
  plan.decide_start = seconds();
  lb::Choice choice;
  if (config.balances() && !config.cannot_move) {
    if (history) {
      lb::Snapshot expected = snapshot;
      expected.objects.load = history->add(snapshot);
      choice = decide(expected, time);
    } else {
      choice = decide(snapshot, time);
    }
  } else {
    choice.rows.push_back({.strategy = "none"});
    choice.assignment = snapshot.objects.pe;
  }
  tell_memory(snapshot, choice.assignment);
  plan.strategy = choice.row().strategy;
  plan.new_pe = choice.assignment;
  plan.splits = choice.splits;
  plan.moves = plan.new_pe != snapshot.objects.pe || !plan.splits.empty();
  plan.before = lb::finish_times(snapshot, snapshot.objects.pe);
  plan.after = lb::finish_times(snapshot, lb::Decision{choice.assignment, plan.splits});
  plan.perfect = lb::perfect_finish(snapshot);
  plan.imbalance_before = lb::percent_imbalance(plan.before, plan.perfect);
  plan.imbalance_after = lb::percent_imbalance(plan.after, plan.perfect);
  if (model) {
    last_snapshot = std::move(snapshot);
    last_choice = std::move(choice);
  }
  return plan;
}

/// As Drift::observe(), which has the snapshot.
void observe_drift(const DistributedPlan& distributed, const std::vector<double>& finish) {
  const auto relative = [](std::vector<double> times) {
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    for (double& time : times) time = mean > 0 ? time / mean : 1;
    return times;
  };
  if (!last_places.empty())
    drift.learn(static_cast<double>(points_in_interval()), relative(last_finish),
                relative(distributed.finish_on(last_places)));
  last_places = objects().places();
  last_finish = finish;
}

/// Each PE decides about its own objects; what all get to know is who went where, and the PEs' finish times.
Plan plan_distributed(const StepTime& time) {
  DistributedPlan distributed = collect_for_distributed();
  Plan plan;
  plan.strategy = config.strategy->info->name;
  plan.decide_start = seconds();
  decide_or_end(time, [&] { distributed.begin(*config.strategy, seed_of(time)); });
  distributed.run();
  plan.new_pe = distributed.new_places();
  plan.moves = !std::ranges::equal(plan.new_pe, objects().places(), std::equal_to<>(), {},
                                   [](int pe) { return static_cast<lb::PeIndex>(pe); });
  plan.before = distributed.finish_before();
  plan.after = distributed.finish_after();
  for (const double finish : plan.before) plan.perfect += finish / static_cast<double>(plan.before.size());
  if (auto_period) observe_drift(distributed, plan.before);
  plan.imbalance_before = lb::percent_imbalance(plan.before);
  plan.imbalance_after = lb::percent_imbalance(plan.after);
  return plan;
}

/// A memory limit, a dump and the history of a load model look at all objects: with one of them, distributed
/// strategies are played on the snapshot.
bool is_distributed() {
  return objects().collect_local && config.strategy && config.strategy->info->begin && !config.cannot_move &&
         config.memory_bytes == 0 && config.dump_file.empty() && !history;
}

}  // namespace

void start_planning(const StepConfig& new_config) {
  start_distributed_plans();
  config = new_config;
  if (config.automatic)
    model.emplace(*config.automatic, measure_machine(objects().moves_copy()), objects().moves_copy());
  if (config.period.automatic) auto_period.emplace(most_overhead);
  if (!config.load_model.changes_nothing()) history.emplace(config.load_model);
}

Plan make_plan(const StepTime& time) {
  return is_distributed() ? plan_distributed(time) : plan_centrally(time);
}

void learn_from(const Plan& plan, const StepTime& time, double thinking_s, double moving_s) {
  if (!model && !auto_period) return;
  const double met = met_pages();
  const StepFigures step = reduce({time.interval_s, objects().meeting_seconds(), thinking_s, moving_s,
                                   met - std::exchange(last_met_pages, met)});
  if (model) {
    reduce(last_choice.trials);
    if (!config.cannot_move) model->learn(last_snapshot, last_choice, step);
  }
  if (!auto_period) return;
  set_next_step(auto_period->next({.points = points_in_interval(),
                                   .interval_s = step.interval_s,
                                   .excess_before_s = std::ranges::max(plan.before) - plan.perfect,
                                   .excess_after_s = std::ranges::max(plan.after) - plan.perfect,
                                   .look_s = step.look_s(),
                                   .movement_s = step.moving_s,
                                   .persistence = lasting_part()}));
}

}  // namespace skein::balance
