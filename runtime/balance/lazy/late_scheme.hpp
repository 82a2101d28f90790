// SPDX-License-Identifier: Apache-2.0
// An LB step of a lazy job: what was decided while the objects went on becomes a plan for those that there
// are (decider.hpp). And when a job is lazy: from its start, or as it learns.
#pragma once

#include <memory>

#include "runtime/balance/decision_scheme.hpp"

namespace skein::balance {

/// After begin_lazy().
std::unique_ptr<DecisionScheme> late_scheme();

/// The job is lazy from its start, as config.mode says: after start_lb_steps(), on all PEs. `release`: as of
/// allow_lazy().
void start_lazily(const StepConfig& config, void (*release)());

/// `--lb-mode auto` (skein/lb/live_mode.hpp), once, after start_lb_steps(), where config.learns_mode; on all
/// PEs. The job begins inline, and PE 0 learns from its steps. Where that can be, an LB step empties the last
/// PE, which only decides from there on, and the job is lazy; and where that was slower, inline again.
/// `release`: as of allow_lazy(); null: the mode stays, and the closing lines say what would have been
/// better.
void learn_mode(const StepConfig& config, void (*release)());

}  // namespace skein::balance
