// SPDX-License-Identifier: Apache-2.0
// Schemes whose steps are decided while all wait: by the planner, which learns from each step.
#pragma once

#include <memory>

#include "runtime/balance/decision_scheme.hpp"
#include "skein/lb/planner.hpp"

namespace skein::balance {

/// As the configuration wants it. Each has models of its own, and all have the costs that were measured when
/// the first was made, with --lb auto. The first call is collective.
lb::Planner make_planner(const StepConfig& config);

class PlannedScheme : public DecisionScheme {
 public:
  explicit PlannedScheme(const StepConfig& config);

  void learn(const Plan& plan, const Interval& interval, const StepTimes& times) override;

 protected:
  /// On the PEs that have decided alike, or on the one that did: how many sync points after this step the
  /// next one is; 0: as ever. All PEs get to know it. Collective.
  virtual std::uint64_t next_step(const Plan& plan, const Interval& interval,
                                  const lb::StepFigures& step) = 0;

  lb::Planner planner_;
  const bool reports_;  ///< there is a report

 private:
  double last_met_pages_ = 0;
};

std::unique_ptr<DecisionScheme> distributed_scheme(const StepConfig& config);

}  // namespace skein::balance
