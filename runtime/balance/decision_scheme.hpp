// SPDX-License-Identifier: Apache-2.0
// The part of an LB step that depends on the mode and on the kind of the strategy: which PEs decide, on which
// data, and which PEs learn the decision. The planner (skein/lb/planner.hpp) decides by the strategy; here
// are the messages around it.
//
//   central      all PEs get the snapshot of the whole job and decide alike        planned_scheme.cpp
//   one PE       one gets it, decides, and tells the others                        planned_scheme.cpp
//   team         several decide together, each about a part of the snapshot        planned_scheme.cpp
//   distributed  each PE decides about its own objects, by messages                distributed_scheme.cpp
//   late         what one PE or a team decided while the objects went on           lazy/late_scheme.cpp
//   changing     central, then late where that is faster                           lazy/mode_change.cpp
//
// All functions run on a PE's own stack.
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

/// The times of a step on this PE.
struct StepTimes {
  double thinking_s;  ///< from the end of the meeting to the first move
  double moving_s;
  bool at_sync_point;
};

/// One way to decide. lb_step.cpp calls the functions of a step in this order.
class DecisionScheme {
 public:
  virtual ~DecisionScheme() = default;

  /// Returns the sync point that all have agreed to stop at, 0: none; nullopt: the period says which one it
  /// is.
  virtual std::optional<std::uint64_t> agreed_stop() const { return std::nullopt; }
  /// Returns the value of each_pe_is_told() under this scheme.
  virtual bool tells_each_pe() const { return true; }
  /// Gathers, on the PEs that decide, the data about the objects as measured at the end of the interval.
  /// Collective.
  virtual void gather(const Interval& interval) = 0;
  /// Decides, on the PEs that decide; does nothing on others. An exception on any PE ends the job.
  virtual void decide(const Interval& interval, Plan& plan) = 0;
  /// Gives all PEs the plan. Collective.
  virtual void tell(Plan&) {}
  /// Moves the objects as the plan says. Collective.
  virtual MoveTotals carry_out(const Plan& plan) {
    const lb::Decision& decision = plan.step.decision;
    return plan.step.moves || objects().has_own_changes(decision) ? objects().move(decision) : MoveTotals{};
  }
  /// Teaches the models of --lb auto and --lb-period auto, if they are in use, what the step took.
  /// Collective.
  virtual void learn(const Plan& plan, const Interval& interval, const StepTimes& times) = 0;
  /// Notes that the step is over. Collective.
  virtual void end_step(const StepRecord&) {}

  /// Ends the scheme after the job's last meeting, which no step follows. Collective.
  virtual void end_job(AfterJob) {}
  /// Returns what would have been better, for the closing lines, on PE 0.
  virtual std::string advice() const { return {}; }
};

/// Makes the scheme of a job that is not lazy. Collective; with --lb auto it measures what moving takes on
/// this machine.
std::unique_ptr<DecisionScheme> make_scheme(const StepConfig& config);

}  // namespace skein::balance
