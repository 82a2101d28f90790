// SPDX-License-Identifier: Apache-2.0
// An LB step of a lazy job: what was decided while the objects went on becomes a plan for those that there
// are (decider.hpp).
#pragma once

#include <memory>

#include "runtime/balance/decision_scheme.hpp"

namespace skein::balance {

/// After begin_lazy().
std::unique_ptr<DecisionScheme> late_scheme();

/// The job is lazy from its start, as config.mode says: after start_lb_steps(), on all PEs. `release`: as of
/// allow_lazy().
void start_lazily(const StepConfig& config, void (*release)());

}  // namespace skein::balance
