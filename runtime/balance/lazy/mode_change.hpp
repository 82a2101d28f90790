// SPDX-License-Identifier: Apache-2.0
// `--lb-mode auto` (skein/lb/live_mode.hpp): a job begins inline, and PE 0 learns from its steps. Where that
// can be, an LB step empties the last PE, which only decides from there on, and the job is lazy; and where
// that was slower, inline again.
#pragma once

#include "runtime/balance/step_config.hpp"

namespace skein::balance {

/// Once, after start_lb_steps(), where config.learns_mode; on all PEs. `release`: as of allow_lazy(); null:
/// the mode stays, and the closing lines say what would have been better.
void learn_mode(const StepConfig& config, void (*release)());

}  // namespace skein::balance
