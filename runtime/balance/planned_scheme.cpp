// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/planned_scheme.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/agreed_steps.hpp"
#include "runtime/balance/dump.hpp"
#include "runtime/balance/pace.hpp"
#include "runtime/balance/pe_topology.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/balance/team.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::balance {
namespace {

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

/// Reduces figures over all PEs to the largest of each; to the least of the meeting. Collective.
lb::StepFigures reduce(const lb::StepFigures& mine) {
  std::vector<double> most{-mine.meeting_s, mine.thinking_s, mine.moving_s, mine.met_bytes};
  net::max_of_all(most);
  return {-most[0], most[1], most[2], most[3]};
}

}  // namespace

lb::Planner make_planner(const StepConfig& config) {
  const bool copies = objects().moves_copy();
  return {planner_config(config), config.automatic ? pe_costs(copies) : lb::CostModel{}, copies,
          lb::DecisionTimer{.clock = seconds}};
}

PlannedScheme::PlannedScheme(const StepConfig& config)
    : planner_(make_planner(config)), reports_(!config.report_file.empty()) {}

void PlannedScheme::learn(const Plan& plan, const Interval& interval, const StepTimes& times) {
  if (planner_.learns()) {
    const double met = met_pages();
    const double newly_met = met - std::exchange(last_met_pages_, met);
    const lb::StepFigures step = reduce({objects().meeting_seconds(), times.thinking_s, times.moving_s,
                                         newly_met * static_cast<double>(arena::kPageBytes)});
    const std::uint64_t next = next_step(plan, interval, step);
    if (next > 0 && times.at_sync_point) pace->schedule.set_next_step(next);
    if (next > 0 && agrees_on_steps()) wait_for_points(next, interval, step);
  }
  planner_.forget();
}

namespace {

/// The scheme in which all PEs get one snapshot of the whole job. They decide alike, as strategies are
/// deterministic, so that nobody sends a decision.
class CentralScheme : public PlannedScheme {
 public:
  using PlannedScheme::PlannedScheme;

  void gather(const Interval& interval) override { take(interval, net::kOnAllPes, true); }

  void decide(const Interval& interval, Plan& plan) override {
    plan.step = planner_.plan(interval);
    plan.pinned = objects().pinned();
    if (net::world.pe != deciding_pe()) return;
    plan.why = planner_.why(plan.step, as_told(interval));
    if (!planner_.config().automatic) return;
    SKEIN_LOG(verbose, "LB auto:\n%s", planner_.reasons().c_str());
    if (reports_) plan.why += "\n" + planner_.reasons();
  }

  MoveTotals carry_out(const Plan& plan) override {
    return planner_.config().balances() ? PlannedScheme::carry_out(plan) : MoveTotals{};
  }

 protected:
  /// Takes the snapshot; `decides`: this PE gets it and decides.
  void take(const Interval& interval, int on_pe, bool decides) {
    const bool all = objects().all_need_snapshot();
    const net::PeBlocks shares = net::gather_blocks(objects().share(), all ? net::kOnAllPes : on_pe);
    if (!decides) {
      if (all) (void)objects().snapshot_of(shares);
      return;
    }
    const lb::Snapshot& snapshot = planner_.take(objects().snapshot_of(shares), interval);
    if (net::world.pe == deciding_pe())
      SKEIN_LOG(verbose, "LB snapshot: %zu objects, %zu edges", snapshot.object_count(),
                snapshot.graph.edge_count());
    write_dump(interval.index, snapshot, objects().busy_in_interval());
  }

  /// All PEs have the same trials; the largest decision time of each counts.
  std::uint64_t next_step(const Plan& plan, const Interval& interval, const lb::StepFigures& step) override {
    const std::span<lb::Trial> trials = planner_.trials();
    std::vector<double> times;
    for (const lb::Trial& trial : trials) times.push_back(trial.decision_s);
    if (!times.empty()) net::max_of_all(times);
    for (std::size_t i = 0; i < times.size(); ++i) trials[i].decision_s = times[i];
    return planner_.learn(plan.step, interval, step).value_or(0);
  }
};

/// The scheme in which one PE gets the snapshot, decides, and tells the others.
class OnePeScheme final : public CentralScheme {
 public:
  using CentralScheme::CentralScheme;

  void gather(const Interval& interval) override { take(interval, deciding_pe(), decides()); }
  void decide(const Interval& interval, Plan& plan) override {
    if (decides()) CentralScheme::decide(interval, plan);
  }
  void tell(Plan& plan) override { tell_plan(plan); }

 private:
  static bool decides() { return net::world.pe == deciding_pe(); }

  std::uint64_t next_step(const Plan& plan, const Interval& interval, const lb::StepFigures& step) override {
    std::uint64_t next = decides() ? planner_.learn(plan.step, interval, step).value_or(0) : 0;
    net::broadcast(&next, sizeof next, deciding_pe());
    return next;
  }
};

/// The scheme in which several PEs decide together, each about its part of the snapshot, by a parallel
/// strategy.
class TeamScheme final : public PlannedScheme {
 public:
  using PlannedScheme::PlannedScheme;

  void gather(const Interval&) override { shares_ = send_shares(objects().share()); }

  void decide(const Interval& interval, Plan& plan) override {
    if (!own_team()) return;
    const lb::PlannerConfig& config = planner_.config();
    const lb::SnapshotPart part = make_own_part(objects().part_of(shares_.blocks), config);
    shares_.take(lb::decide_in_team(*config.strategy, part, planner_.seed_of(interval), *own_team()), part,
                 plan);
  }

  void tell(Plan& plan) override { send_places(std::exchange(shares_, {}), plan); }
  MoveTotals carry_out(const Plan& plan) override { return move_own_of(plan); }

 private:
  /// Returns 0: models that learn look at all objects, and are refused where several PEs decide.
  std::uint64_t next_step(const Plan&, const Interval&, const lb::StepFigures&) override { return 0; }

  TeamShares shares_;
};

}  // namespace

std::unique_ptr<DecisionScheme> make_scheme(const StepConfig& config) {
  if (config.mode.deciding_pes > 1 && config.balances()) start_team();
  const bool apart = config.mode.kind != lb::Mode::Kind::inline_all;
  if (apart) (void)pe_topology();  // which all gather now, and one asks for later
  if (has_team()) return std::make_unique<TeamScheme>(config);
  if (apart) return std::make_unique<OnePeScheme>(config);
  if (planner_config(config).is_distributed()) return distributed_scheme(config);
  return std::make_unique<CentralScheme>(config);
}

}  // namespace skein::balance
