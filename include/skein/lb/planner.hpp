// SPDX-License-Identifier: Apache-2.0
// What an LB step is to do, and when the next one is: the part of it that needs neither messages nor a clock,
// the same in a run (runtime/balance/planned_scheme.hpp) and in a simulation (lb/simulate/balancer.hpp).
//
// In a run every PE has a Planner, and all are given the same: so all come to the same plan, and to the same
// next step, without telling each other. Measured times are to be reduced over the PEs first. At each step,
// in this order:
//   take()    the snapshot of the interval that has ended; a distributed strategy has none, and decides by
//             messages, which is its caller's matter
//   plan()    the decision; or plan_of() with what a distributed strategy has come to, where the step does
//             not only_measure()
//   learn()   with what the step took; says when the next one is, if periods are automatic
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

/// What the user wants of LB steps, as far as it decides what they do.
struct PlannerConfig {
  std::optional<Selection> strategy = {};     // the one that decides
  std::optional<AutoOptions> automatic = {};  // instead: the model chooses one at each step
  Period period = {};
  std::uint64_t seed = 0;
  LoadModel load_model = {};       // what the strategy sees as loads
  std::uint64_t memory_bytes = 0;  // what the objects of a PE may have in use between them; 0: no limit
  bool cannot_move = false;        // no object can move in this job
  bool keeps_snapshots = false;    // somebody wants each step's snapshot, whatever decides
  bool tells_loads = false;        // plans have StepPlan::loads

  bool balances() const { return strategy || automatic; }  // else steps only measure
  /// Each PE decides about its own objects. A memory limit, one who wants the snapshots, and the history of a
  /// load model look at all objects: with one of them, distributed strategies are played on the snapshot.
  bool is_distributed() const;
};

/// When each PE is done with the loads of an interval, on one placement. In the unit of loads, which are
/// seconds as a rule.
struct FinishTimes {
  std::vector<double> of_pe;  // or, of a distributed decision, the largest alone where nobody wants all
  double perfect = 0;         // all would be done then, if the load could be divided at will

  double largest() const;
  double imbalance_percent() const;
  double excess() const { return largest() - perfect; }
};

/// A plan without moves is fit in every mode: the step goes on as with the strategy none. What it gains in
/// the next interval is the difference of before and after.
struct StepPlan {
  std::string strategy;       // that decided; `none` where the objects stay because nobody decided otherwise
  FinishTimes before, after;  // of the same loads, where the objects were and where they are to be
  bool moves = false;         // objects, or parts of them
  Decision decision = {};     // none of a distributed strategy
  std::vector<std::uint64_t> held_bytes = {};  // with a memory limit: by objects, as they are placed then

  /// How the loads of the interval are distributed, of that many objects; none where nobody has the snapshot,
  /// or nobody asks.
  struct Loads {
    std::uint64_t objects = 0;
    std::vector<double> quantiles = {};  // of grain.hpp
  } loads = {};
};

/// What a step took, by the slowest PE; of the meeting that of the PE which waited least, since that is time
/// spent waiting for the last one.
struct StepFigures {
  double meeting_s = 0;
  double thinking_s = 0;  // collecting the snapshot and deciding
  double moving_s = 0;
  double met_bytes = 0;  // of pages that were met for the first time in the interval

  /// What the step took without its movement.
  double look_s() const { return meeting_s + thinking_s; }
};

/// How the decisions that --lb auto tries are timed. Neither: they take no time.
struct DecisionTimer {
  double (*clock)() = nullptr;            // seconds
  DecisionSeconds decision_seconds = {};  // instead of a clock
};

class Planner {
 public:
  /// `costs` matter with --lb auto alone; `moves_copy`: a move takes time for an object's bytes, which else
  /// cost only later, when the new PE meets their pages.
  Planner(PlannerConfig config, const CostModel& costs, bool moves_copy, DecisionTimer timer);
  Planner(Planner&&) noexcept;
  Planner& operator=(Planner&&) noexcept;
  ~Planner();

  const PlannerConfig& config() const;

  /// Adds to the snapshot what is known of the interval, and shows it to what looks at every step. What is
  /// returned lasts until forget(), or the next snapshot is taken.
  const Snapshot& take(Snapshot snapshot, const Interval& interval);

  /// Whether nobody is to decide at the step that ends this interval, though there is a strategy: with an
  /// automatic period the first one.
  bool only_measures(const Interval& interval) const;
  /// By the snapshot that was taken. Throws what the strategy throws.
  StepPlan plan(const Interval& interval);
  /// `before`, `after`: when each PE finishes without and with the moves.
  StepPlan plan_of(FinishTimes before, FinishTimes after, bool moves) const;
  /// Nobody has decided.
  static StepPlan measured(FinishTimes now) { return {.strategy = "none", .before = now, .after = now}; }
  std::uint64_t seed_of(const Interval& interval) const { return config().seed + interval.index; }

  /// At the end of a step; frees the snapshot.
  void forget();
  /// Whether learn() has any use.
  bool learns() const;
  /// With --lb auto, what the last plan tried, whose times are to be reduced before learn(); and what each
  /// choice was predicted to take, as lines of text.
  std::span<Trial> trials();
  std::string reasons() const;
  /// Why the last plan is as it is, in a sentence.
  std::string why(const StepPlan& plan, const Interval& interval) const;
  /// How many sync points after this step the next one is, with an automatic period.
  std::optional<std::uint64_t> learn(const StepPlan& plan, const Interval& interval, const StepFigures& step);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skein::lb
