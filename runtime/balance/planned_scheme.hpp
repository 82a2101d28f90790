// SPDX-License-Identifier: Apache-2.0
// Schemes whose planner decides while all wait, and learns from each step.
#pragma once

#include <memory>

#include "runtime/balance/decision_scheme.hpp"
#include "skein/lb/planner.hpp"

namespace skein::balance {

/// Makes a planner as the configuration wants it, with models of its own. With --lb auto, all planners have
/// the costs that were measured when the first was made. The first call is collective.
lb::Planner make_planner(const StepConfig& config);

class PlannedScheme : public DecisionScheme {
 public:
  explicit PlannedScheme(const StepConfig& config);

  void learn(const Plan& plan, const Interval& interval, const StepTimes& times) override;

 protected:
  /// Returns, on the PEs that have decided alike, or on the one that did, how many sync points after this
  /// step the next one is; 0: no change. All PEs get the number. Collective.
  virtual std::uint64_t next_step(const Plan& plan, const Interval& interval,
                                  const lb::StepFigures& step) = 0;

  lb::Planner planner_;
  const bool reports_;  ///< the job has a report

 private:
  double last_met_pages_ = 0;
};

std::unique_ptr<DecisionScheme> distributed_scheme(const StepConfig& config);

}  // namespace skein::balance
