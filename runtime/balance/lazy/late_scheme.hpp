// SPDX-License-Identifier: Apache-2.0
// LB steps of lazy jobs: a decision made while the objects went on becomes a plan for the present ones
// (decider.hpp). And when a job is lazy: from its start, or as it learns.
#pragma once

#include <memory>

#include "runtime/balance/decision_scheme.hpp"

namespace skein::balance {

/// Makes the scheme of a lazy job, after begin_lazy().
std::unique_ptr<DecisionScheme> late_scheme();

/// Makes the job lazy from its start, as config.mode says: after start_lb_steps(), on all PEs. `release`: as
/// in allow_lazy().
void start_lazily(const StepConfig& config, void (*release)());

/// Starts `--lb-mode auto` (skein/lb/live_mode.hpp): once, after start_lb_steps(), where config.learns_mode;
/// on all PEs. The job begins inline, and PE 0 learns from its steps. Where it is possible, an LB step
/// empties the last PE, which only decides from there on, and the job is lazy; if that was slower, it becomes
/// inline again. `release`: as in allow_lazy(); null: the mode stays, and the closing lines say what would
/// have been better.
void learn_mode(const StepConfig& config, void (*release)());

}  // namespace skein::balance
