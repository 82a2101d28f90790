// SPDX-License-Identifier: Apache-2.0
// The closing lines: what the user of a run is told of its LB. On PE 0.
#pragma once

#include <span>
#include <string>

#include "runtime/balance/agreed_steps.hpp"
#include "runtime/balance/report_file.hpp"
#include "runtime/balance/step_config.hpp"
#include "skein/lb/interval.hpp"

namespace skein::balance {

/// Only sums are kept, so that steps without end take no memory.
void sum_up_step(const StepRecord& record);

/// What would have been better.
struct Advice {
  std::string mode;  ///< DecisionScheme::advice()
  Agreed agreed;     ///< stop_agreeing()
};

/// How the run went, to standard error: with LB a few lines; without, one that says what balancing could
/// gain, where the run was measured or recorded, or else on a terminal if it is worth trying. Of the whole
/// run are `gain`, and `busy`, how long the objects on each PE computed.
void print_summary(const StepConfig& config, const lb::Gain& gain, double job_seconds,
                   std::span<const double> busy, const Advice& advice);

}  // namespace skein::balance
