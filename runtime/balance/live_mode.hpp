// SPDX-License-Identifier: Apache-2.0
// `--lb-mode auto` (skein/lb/live_mode.hpp): a job begins inline, and PE 0 learns from its steps. Where that
// can be, an LB step empties the last PE, which only decides from there on, and the job is lazy; and where
// that was slower, inline again.
//
// All on a PE's own stack.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/balance/report.hpp"
#include "runtime/balance/step_config.hpp"

namespace skein::balance {

/// Once, after start_lb_steps(), where config.learns_mode; on all PEs. `release`: as of allow_lazy(); null:
/// the mode stays, and the closing lines say what would have been better.
void start_live_mode(const StepConfig& config, void (*release)());

/// In a step, after the interval was closed: reserves the last PE if the job is to be lazy and all objects
/// may leave it. Whether it has: then they are to be moved. Collective.
bool leave_last_pe();
/// At the end of such a step, whose sync point is `point`. Collective.
void go_on_lazily(std::uint64_t point);
/// At the end of a step by which the job is to be inline again, likewise.
void go_on_inline(std::uint64_t point);
/// At the end of another step. Collective, where the mode can change.
void learn_from_step(const StepRecord& record, double whole_s);

/// A closing line, on PE 0: what the mode was, and what would have taken least.
std::string mode_advice(const StepConfig& config);

}  // namespace skein::balance
