// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/plan.hpp"

#include <algorithm>
#include <utility>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/block_exchange.hpp"
#include "runtime/balance/distributed_plan.hpp"
#include "runtime/balance/dump.hpp"
#include "runtime/balance/lazy.hpp"
#include "runtime/balance/lazy_decider.hpp"
#include "runtime/balance/measured_costs.hpp"
#include "runtime/balance/pe_topology.hpp"
#include "runtime/balance/period.hpp"
#include "runtime/balance/plan_message.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/balance/team.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::balance {
namespace {

struct Planning {
  std::optional<lb::Planner> planner;
  std::vector<bool> told_above_memory;  // by PE
  lb::CostModel costs;
  double last_met_pages = 0;
  bool reports = false;  // --lb-report
  bool apart = false;    // one PE decides for all, while all wait
};
PerRuntime<Planning> planning;

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
void tell_memory(const std::vector<std::uint64_t>& held) {
  if (net::world.pe != 0) return;
  planning->told_above_memory.resize(held.size());
  for (std::size_t pe = 0; pe < held.size(); ++pe) {
    const bool above = held[pe] > planning->planner->config().memory_bytes;
    if (above && !planning->told_above_memory[pe])
      SKEIN_WARN("the %s of PE %zu have %llu bytes in use, more than --lb-memory, and no other PE has room",
                 objects().noun(), pe, static_cast<unsigned long long>(held[pe]));
    planning->told_above_memory[pe] = above;
  }
}

/// On the PE that tells of decisions.
void note_snapshot(const Interval& interval, const lb::Snapshot& snapshot) {
  if (net::world.pe == deciding_pe())
    SKEIN_LOG(verbose, "LB snapshot: %zu objects, %zu edges", snapshot.object_count(),
              snapshot.graph.edge_count());
  write_dump(interval.index, snapshot, objects().busy_in_interval());
}

/// With --lb auto; what of it is to be in the report.
std::string tell_reasons() {
  const lb::Planner& planner = *planning->planner;
  if (!planner.config().automatic) return {};
  SKEIN_LOG(verbose, "LB auto:\n%s", planner.reasons().c_str());
  return planning->reports ? planner.reasons() : std::string();
}

/// All PEs get the snapshot of the whole job and decide alike.
Plan plan_centrally(const Interval& interval) {
  lb::Planner& planner = *planning->planner;
  const net::PeBlocks shares = net::gather_blocks(objects().share(), net::on_all_pes);
  const lb::Snapshot& snapshot = planner.take(objects().snapshot_of(shares), interval);
  note_snapshot(interval, snapshot);
  Plan plan{.decide_start = seconds(), .pinned = objects().pinned()};
  decide_or_end(interval, [&] { plan.step = planner.plan(interval); });
  if (net::world.pe == 0) plan.why = tell_reasons();
  tell_memory(plan.step.held_bytes);
  return plan;
}

/// One PE gets the snapshot, decides, and tells the others.
Plan plan_apart(const Interval& interval) {
  lb::Planner& planner = *planning->planner;
  const bool decides = net::world.pe == deciding_pe(), all = objects().all_need_snapshot();
  const net::PeBlocks shares = net::gather_blocks(objects().share(), all ? net::on_all_pes : deciding_pe());
  lb::Snapshot snapshot;
  if (decides || all) snapshot = objects().snapshot_of(shares);
  const double decide_start = seconds();
  std::vector<std::byte> message;
  decide_or_end(interval, [&] {
    if (!decides) return;
    note_snapshot(interval, planner.take(std::move(snapshot), interval));
    Plan plan{.step = planner.plan(interval), .pinned = objects().pinned()};
    plan.why = tell_reasons();
    message = packed(plan);
  });
  net::broadcast_block(message, deciding_pe());
  Plan plan = unpacked_plan(message);
  plan.decide_start = decide_start;
  tell_memory(plan.step.held_bytes);
  return plan;
}

/// Those that decide together do so, each about its part.
Plan plan_together(const Interval& interval) {
  const lb::Planner& planner = *planning->planner;
  TeamShares shares = send_shares(objects().share());
  Plan plan{.decide_start = seconds()};
  decide_or_end(interval, [&] {
    if (!own_team()) return;
    const lb::SnapshotPart part = make_own_part(objects().part_of(shares.blocks), planner.config());
    shares.take(lb::decide_in_team(*planner.config().strategy, part, planner.seed_of(interval), *own_team()),
                part, plan);
  });
  send_places(shares, plan);
  tell_memory(plan.step.held_bytes);
  return plan;
}

/// Each PE decides about its own objects; what all get to know are the PEs' finish times.
Plan plan_distributed(const Interval& interval) {
  lb::Planner& planner = *planning->planner;
  DistributedPlan distributed(objects().local());
  const double decide_start = seconds();
  const bool only_measures = planner.only_measures(interval);
  if (!only_measures)
    decide_or_end(interval,
                  [&] { distributed.begin(*planner.config().strategy, planner.seed_of(interval)); });
  DistributedPlan::Outcome outcome = distributed.run();
  return {.step = only_measures
                      ? planner.measured(std::move(outcome.before))
                      : planner.plan_of(std::move(outcome.before), std::move(outcome.after), outcome.moves),
          .arrivals = Arrivals{distributed.arrivals()},
          .decide_start = decide_start,
          .pinned = each_pe_is_told() ? objects().pinned() : std::vector<int>()};
}

/// What was decided while the objects ran becomes a plan for those that there are.
Plan plan_lazily(const Interval& interval) {
  const bool decides = net::world.pe == deciding_pe(), all = objects().all_need_snapshot();
  const std::vector<std::byte> mine = objects().when_lazy()->share_at(lazy_pe->member.agreed_stop());
  const net::PeBlocks shares = net::gather_blocks(mine, all ? net::on_all_pes : deciding_pe());
  if (all && !decides) (void)objects().snapshot_of(shares);
  const double start = seconds();
  std::vector<std::byte> message;
  if (decides) message = packed(plan_late(interval, shares));
  net::broadcast_block(message, deciding_pe());
  Plan plan = unpacked_plan(message);
  plan.decide_start = start;
  tell_memory(plan.step.held_bytes);
  return plan;
}

/// The plan of a lazy step whose decision a team made.
Plan plan_lazily_together() {
  TeamShares shares = send_shares(objects().when_lazy()->share_at(lazy_pe->member.agreed_stop()));
  Plan plan{.decide_start = seconds()};
  if (own_team()) plan_late_together(shares, plan);
  send_places(shares, plan);
  tell_memory(plan.step.held_bytes);
  return plan;
}

lb::PlannerConfig planner_config(const StepConfig& config) {
  return {.strategy = config.strategy,
          .automatic = config.automatic,
          .period = config.period,
          .seed = config.seed,
          .load_model = config.load_model,
          .memory_bytes = config.memory_bytes,
          .cannot_move = config.cannot_move != nullptr,
          .keeps_snapshots = !config.dump_file.empty() || config.mode.kind != lb::Mode::Kind::inline_all,
          .tells_loads = !config.report_file.empty() || config.learns_mode};
}

/// The largest of each over all PEs; of the meeting the least. Collective.
lb::StepFigures reduce(const lb::StepFigures& mine) {
  std::vector<double> most{-mine.meeting_s, mine.thinking_s, mine.moving_s, mine.met_bytes};
  net::max_of_all(most);
  return {-most[0], most[1], most[2], most[3]};
}

/// The largest decision time of each trial over all PEs. Collective; all PEs have the same trials.
void reduce(std::span<lb::Trial> trials) {
  if (trials.empty()) return;
  std::vector<double> times;
  for (const lb::Trial& trial : trials) times.push_back(trial.decision_s);
  net::max_of_all(times);
  for (std::size_t i = 0; i < trials.size(); ++i) trials[i].decision_s = times[i];
}

}  // namespace

MoveTotals Plan::carry_out() const {
  if (together) return step.moves ? objects().move_own(together->own_places) : MoveTotals{};
  if (arrivals) return step.moves ? objects().bring(arrivals->objects) : MoveTotals{};
  const bool acts =
      step.moves || (planning->planner->config().balances() && objects().has_own_changes(step.decision));
  return acts ? objects().move(step.decision) : MoveTotals{};
}

void start_planning(const StepConfig& config) {
  start_block_exchange();
  if (config.mode.deciding_pes > 1 && config.balances()) start_team();
  planning->reports = !config.report_file.empty();
  // With a distributed strategy nobody gets to know more of each PE than it needs.
  tell_each_pe(!planner_config(config).is_distributed() || !config.report_file.empty() ||
               config.period.automatic || config.learns_mode);
  planning->apart = config.mode.kind != lb::Mode::Kind::inline_all;
  if (planning->apart) (void)pe_topology();  // which is gathered by all, and then asked for by one
  planning->costs = config.automatic ? measure_costs(objects().moves_copy()) : lb::CostModel{};
  planning->planner.emplace(make_planner(config));
}

lb::Planner make_planner(const StepConfig& config) {
  return {planner_config(config), planning->costs, objects().moves_copy(),
          lb::DecisionTimer{.clock = seconds}};
}

Plan make_plan(const Interval& interval) {
  if (is_lazy()) return has_team() ? plan_lazily_together() : plan_lazily(interval);
  if (has_team()) return plan_together(interval);
  if (planning->apart) return plan_apart(interval);
  return planning->planner->config().is_distributed() ? plan_distributed(interval) : plan_centrally(interval);
}

void learn_from(const Plan& plan, const Interval& interval, double thinking_s, double moving_s,
                bool at_sync_point) {
  lb::Planner& planner = *planning->planner;
  if (is_lazy()) return learn_late(moving_s);
  if (!planner.learns()) return planner.forget();
  const double met = met_pages();
  const double newly_met = met - std::exchange(planning->last_met_pages, met);
  const lb::StepFigures step = reduce({objects().meeting_seconds(), thinking_s, moving_s,
                                       newly_met * static_cast<double>(arena::page_bytes)});
  if (!planning->apart) reduce(planner.trials());
  std::uint64_t next = 0;  // none
  if (!planning->apart || net::world.pe == deciding_pe())
    next = planner.learn(plan.step, interval, step).value_or(0);
  if (planning->apart) net::broadcast(&next, sizeof next, deciding_pe());
  if (next > 0 && at_sync_point) set_next_step(next);
  planner.forget();
}

}  // namespace skein::balance
