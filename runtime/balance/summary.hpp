// SPDX-License-Identifier: Apache-2.0
// The closing lines, which tell the user how LB went. On PE 0.
#pragma once

#include <span>
#include <string>

#include "runtime/balance/agreed_steps.hpp"
#include "runtime/balance/report_file.hpp"
#include "runtime/balance/step_config.hpp"
#include "skein/lb/interval.hpp"

namespace skein::balance {

/// Adds a step to the sums. Only sums are kept, so that memory does not grow with the steps.
void sum_up_step(const StepRecord& record);

/// Sources of advice about what would have been better.
struct Advice {
  std::string mode;  ///< from DecisionScheme::advice()
  Agreed agreed;     ///< from stop_agreeing()
};

/// Prints to standard error how the run went: with LB a few lines; without, one line that says what balancing
/// could gain, if the run was measured or recorded, or on a terminal, if it is worth trying. `gain`, and
/// `busy`, the seconds that the objects on each PE computed, are of the whole run.
void print_summary(const StepConfig& config, const lb::Gain& gain, double job_seconds,
                   std::span<const double> busy, const Advice& advice);

}  // namespace skein::balance
