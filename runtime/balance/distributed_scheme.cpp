// SPDX-License-Identifier: Apache-2.0
// LB steps by a distributed strategy: each PE decides about its own objects by messages with others, and no
// PE ever sees the objects of all. All PEs get the finish times, of each PE if each_pe_is_told().
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/balance/pe_processes.hpp"
#include "runtime/balance/planned_scheme.hpp"
#include "runtime/net/joined.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {
namespace {

/// The largest finish times of all PEs, and the sum of those without moves.
struct Finish {
  double before, sum_before, after;
  bool moves;

  void add(const Finish& next) {
    before = std::max(before, next.before);
    after = std::max(after, next.after);
    sum_before += next.sum_before;
    moves |= next.moves;
  }
};

/// Returns the values of all PEs.
std::vector<double> of_all(double mine) {
  std::vector<double> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  return all;
}

class DistributedScheme final : public PlannedScheme {
 public:
  using PlannedScheme::PlannedScheme;

  /// Returns true only where figures of each PE are needed.
  bool tells_each_pe() const override {
    return planner_.config().tells_loads || planner_.config().period.automatic;
  }
  void gather(const Interval&) override { local_ = objects().local(); }

  void decide(const Interval& interval, Plan&) override {
    if (planner_.only_measures(interval)) return;
    const lb::Selection& strategy = *planner_.config().strategy;
    process_.push_back(strategy.info->begin(*local_, strategy.options, planner_.seed_of(interval)));
  }

  void tell(Plan& plan) override {
    const bool decides = !process_.empty();
    if (decides) run_pe_processes(process_, local_->pe_count);
    arriving_ = arrivals();
    const double mine_before = finish_of(local_->objects), mine_after = finish_of(objects_after());
    Finish all{mine_before, mine_before, mine_after, !arriving_.empty()};
    net::add_on_all(all);
    const bool each = each_pe_is_told();
    const double perfect = all.sum_before / local_->pe_count;
    lb::FinishTimes before{each ? of_all(mine_before) : std::vector{all.before}, perfect};
    lb::FinishTimes after{each ? of_all(mine_after) : std::vector{all.after}, perfect};
    plan.step = decides ? planner_.plan_of(std::move(before), std::move(after), all.moves)
                        : lb::Planner::measured(std::move(before));
    if (each) plan.pinned = objects().pinned();
    process_.clear();
    local_.reset();
  }

  MoveTotals carry_out(const Plan& plan) override {
    return plan.step.moves ? objects().bring(arriving_) : MoveTotals{};
  }

 private:
  /// Returns the movable objects that this PE has after the moves.
  const std::vector<lb::LocalObject>& objects_after() const {
    return process_.empty() ? local_->objects : process_[0]->objects();
  }

  double finish_of(const std::vector<lb::LocalObject>& objects) const {
    double finish = local_->fixed_s;
    for (const lb::LocalObject& object : objects) finish += object.load / local_->speed;
    return finish;
  }

  /// Returns the objects of other PEs that come to this one.
  std::vector<lb::ObjectIndex> arrivals() const {
    std::vector<lb::ObjectIndex> arriving;
    for (const lb::LocalObject& object : objects_after())
      if (!std::ranges::binary_search(local_->objects, object.object, {}, &lb::LocalObject::object))
        arriving.push_back(object.object);
    return arriving;
  }

  std::uint64_t next_step(const Plan& plan, const Interval& interval, const lb::StepFigures& step) override {
    return planner_.learn(plan.step, interval, step).value_or(0);
  }

  // The present step:
  std::vector<lb::ObjectIndex> arriving_;
  std::optional<lb::LocalPe> local_;
  std::vector<std::unique_ptr<lb::PeProcess>> process_;  // one, once it has begun
};

}  // namespace

std::unique_ptr<DecisionScheme> distributed_scheme(const StepConfig& config) {
  return std::make_unique<DistributedScheme>(config);
}

}  // namespace skein::balance
