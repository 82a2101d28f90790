// SPDX-License-Identifier: Apache-2.0
// Who decides at an LB step, by what, and who is told of it: the part of a step that depends on the mode and
// on the kind of the strategy. What the strategy decides is the planner's matter (skein/lb/planner.hpp); here
// are the messages for it.
//
//   central      all PEs get the snapshot of the whole job and decide alike        planned_scheme.cpp
//   one PE       one gets it, decides, and tells the others                        planned_scheme.cpp
//   team         several decide together, each about a part of the snapshot        planned_scheme.cpp
//   distributed  each PE decides about its own objects, by messages                distributed_scheme.cpp
//   late         what one PE or a team decided while the objects went on           lazy/late_scheme.cpp
//   changing     central, then late where that is faster                           lazy/mode_change.cpp
//
// All on a PE's own stack.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/balance/objects.hpp"
#include "runtime/balance/plan.hpp"
#include "runtime/balance/step_config.hpp"
#include "runtime/balance/step_record.hpp"

namespace skein::balance {

/// What a step took on this PE.
struct StepTimes {
  double thinking_s;  ///< from the end of the meeting to the first move
  double moving_s;
  bool at_sync_point;
};

/// lb_step.cpp calls the functions of a step in this order.
class DecisionScheme {
 public:
  virtual ~DecisionScheme() = default;

  /// The sync point that all have agreed to stop at, 0: none; null: which one it is follows from the period.
  virtual std::optional<std::uint64_t> agreed_stop() const { return std::nullopt; }
  /// For each_pe_is_told().
  virtual bool tells_each_pe() const { return true; }
  /// Those who decide get what they decide by, of the objects as they were measured at the end of the
  /// interval. Collective.
  virtual void gather(const Interval& interval) = 0;
  /// What it throws on any PE ends the job. Where this PE does not decide it does nothing.
  virtual void decide(const Interval& interval, Plan& plan) = 0;
  /// All PEs get the plan. Collective.
  virtual void tell(Plan&) {}
  /// Collective.
  virtual MoveTotals carry_out(const Plan& plan) {
    const lb::Decision& decision = plan.step.decision;
    return plan.step.moves || objects().has_own_changes(decision) ? objects().move(decision) : MoveTotals{};
  }
  /// Hands what the step took to the models of --lb auto and --lb-period auto, if they are in use.
  /// Collective.
  virtual void learn(const Plan& plan, const Interval& interval, const StepTimes& times) = 0;
  /// The step is over. Collective.
  virtual void end_step(const StepRecord&) {}

  /// After the job's last meeting, which no step follows. Collective.
  virtual void end_job(AfterJob) {}
  /// For the closing lines, on PE 0: what would have been better.
  virtual std::string advice() const { return {}; }
};

/// The scheme of a job that is not lazy. Collective; with --lb auto it measures what moving takes on this
/// machine.
std::unique_ptr<DecisionScheme> make_scheme(const StepConfig& config);

}  // namespace skein::balance
