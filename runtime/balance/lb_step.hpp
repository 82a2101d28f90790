// SPDX-License-Identifier: Apache-2.0
// An LB step: collect, decide, move, resume. Who decides, and by what, is told by decision_scheme.hpp.
#pragma once

#include <memory>

#include "runtime/balance/step_config.hpp"

namespace skein::balance {

class DecisionScheme;

/// Takes the configuration and opens the report and the dump. Throws skein::Error if one cannot be written.
/// Collective.
void start_lb_steps(StepConfig config);
/// From the next step on another one; returns that so far. On all PEs.
std::unique_ptr<DecisionScheme> use_scheme(std::unique_ptr<DecisionScheme> scheme);

/// Where the objects are when there is a step: all that come to sync points at one, or anywhere between.
enum class StepAt : bool { sync_point, between };
/// The step that run_pe() calls. One between sync points leaves alone when the next is that comes at one.
void lb_step(StepAt at = StepAt::sync_point);
/// Tells of the step that is being made, or was the last.
StepAt latest_step_at();

/// Objects stopped for a step, and go on without. On every PE that computes; not in lazy jobs.
void leave_step_out();

/// At the end of the job, on every PE: measures the last interval without moving anything, so that a job
/// without LB knows its imbalance too. Collective.
void measure_whole_run(AfterJob after);

/// Closes the report and the dump and prints the closing lines, on PE 0. False if one of the files could not
/// be written, which was said then: the job goes on without it, but must not end as if all were well.
[[nodiscard]] bool close_lb_steps();

/// A sync point behind which no object is, in or behind a step.
std::uint64_t last_point();
/// The job continues another one, in which no object had passed `point`. On all PEs, behind start_lb_steps()
/// and agree_on_steps(), before any object runs.
void begin_behind(std::uint64_t point);

}  // namespace skein::balance
