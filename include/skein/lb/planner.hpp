// SPDX-License-Identifier: Apache-2.0
// Plans LB steps: decides what a step does and when the next one is. Needs neither messages nor a clock, and
// serves runs (runtime/balance/planned_scheme.hpp) and simulations (lb/simulate/balancer.hpp) alike.
//
// In a run every PE has a Planner, and all get the same input: so all come to the same plan and to the same
// next step, without telling each other. The caller reduces measured times over the PEs first. At each step
// it calls, in this order:
//   take()    with the snapshot of the interval that has ended; not for a distributed strategy, whose
//             messages are the caller's task
//   plan()    for the decision; or plan_of() with the result of a distributed strategy, unless the step
//             only_measures()
//   learn()   with the times of the step; returns when the next step is, if periods are automatic
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skein/lb/cost.hpp"
#include "skein/lb/interval.hpp"
#include "skein/lb/load_model.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/schedule.hpp"
#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// The user's choices about LB steps that the planner needs.
struct PlannerConfig {
  std::optional<Selection> strategy = {};     // the deciding strategy
  std::optional<AutoOptions> automatic = {};  // instead of `strategy`: the model chooses one at each step
  Period period = {};
  std::uint64_t seed = 0;
  LoadModel load_model = {};       // makes the loads that the strategy gets
  std::uint64_t memory_bytes = 0;  // limit for the objects of a PE together; 0: none
  bool cannot_move = false;        // no object can move in this job
  bool keeps_snapshots = false;    // each step's snapshot is wanted, whatever decides
  bool tells_loads = false;        // plans have StepPlan::loads

  bool balances() const { return strategy || automatic; }  // false: steps only measure
  /// Returns true if each PE decides about its own objects. A memory limit, wanted snapshots and the history
  /// of a load model need all objects: with one of them, a distributed strategy is played on the snapshot.
  bool is_distributed() const;
};

/// The times at which the PEs have done the loads of an interval, on one placement. In the unit of loads,
/// usually seconds.
struct FinishTimes {
  std::vector<double> of_pe;  // of a distributed decision the largest alone, unless all are wanted
  double perfect = 0;         // the finish time of all PEs if the load could be divided at will

  double largest() const;
  double imbalance_percent() const;
  double excess() const { return largest() - perfect; }
};

/// The plan of an LB step. A plan without moves is valid in every mode: the step continues as with the
/// strategy none. The gain in the next interval is the difference of before and after.
struct StepPlan {
  std::string strategy;       // the one that decided; `none` if the objects stay because none decided
  FinishTimes before, after;  // of the same loads, on the old and on the new placement
  bool moves = false;         // objects, or parts of them, move
  Decision decision = {};     // empty for a distributed strategy
  std::vector<std::uint64_t> held_bytes = {};  // by PE, on the new placement; only with a memory limit

  /// The distribution of the interval's loads over the objects; empty if no PE has the snapshot, or if it is
  /// not wanted.
  struct Loads {
    std::uint64_t objects = 0;
    std::vector<double> quantiles = {};  // as in grain.hpp
  } loads = {};
};

/// The times of a step on the slowest PE. The meeting's time is that of the PE which waited least: the others
/// waited for the last PE to come.
struct StepFigures {
  double meeting_s = 0;
  double thinking_s = 0;  // collecting the snapshot and deciding
  double moving_s = 0;
  double met_bytes = 0;  // the pages that were touched for the first time in the interval

  /// Returns the step's time without its movement.
  double look_s() const { return meeting_s + thinking_s; }
};

/// How the decisions that --lb auto tries are timed. Without either member they take no time.
struct DecisionTimer {
  double (*clock)() = nullptr;            // seconds
  DecisionSeconds decision_seconds = {};  // instead of a clock
};

class Planner {
 public:
  /// `costs` matter only with --lb auto. `moves_copy`: a move takes time for an object's bytes; otherwise
  /// they cost time only later, when the new PE touches their pages.
  Planner(PlannerConfig config, const CostModel& costs, bool moves_copy, DecisionTimer timer);
  Planner(Planner&&) noexcept;
  Planner& operator=(Planner&&) noexcept;
  ~Planner();

  const PlannerConfig& config() const;

  /// Adds to the snapshot what is known of the interval, and lets the models observe it. The result is valid
  /// until forget() or the next take().
  const Snapshot& take(Snapshot snapshot, const Interval& interval);

  /// Returns true if nothing is decided at the step that ends this interval though there is a strategy: the
  /// first step with an automatic period.
  bool only_measures(const Interval& interval) const;
  /// Plans by the snapshot of the last take(). Throws what the strategy throws.
  StepPlan plan(const Interval& interval);
  /// Returns the plan of a distributed strategy. `before`, `after`: each PE's finish time without and with
  /// the moves.
  StepPlan plan_of(FinishTimes before, FinishTimes after, bool moves) const;
  /// Returns the plan of a step that only measures.
  static StepPlan measured(FinishTimes now) { return {.strategy = "none", .before = now, .after = now}; }
  std::uint64_t seed_of(const Interval& interval) const { return config().seed + interval.index; }

  /// Ends the step and frees the snapshot.
  void forget();
  /// Returns true if learn() has an effect.
  bool learns() const;
  /// Return, with --lb auto, the trials of the last plan, whose times the caller must reduce before learn();
  /// and the predicted times of each choice, as lines of text.
  std::span<Trial> trials();
  std::string reasons() const;
  /// Returns the reason for the last plan, in a sentence.
  std::string why(const StepPlan& plan, const Interval& interval) const;
  /// Learns from a step. Returns, with an automatic period, the number of sync points until the next step.
  std::optional<std::uint64_t> learn(const StepPlan& plan, const Interval& interval, const StepFigures& step);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skein::lb
