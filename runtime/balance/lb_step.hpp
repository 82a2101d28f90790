// SPDX-License-Identifier: Apache-2.0
// An LB step: collect, decide, move, resume. decision_scheme.hpp says who decides, and by what.
#pragma once

#include <memory>

#include "runtime/balance/step_config.hpp"

namespace skein::balance {

class DecisionScheme;

/// Takes the configuration and opens the report and the dump. Throws skein::Error if one cannot be written.
/// Collective.
void start_lb_steps(StepConfig config);
/// Decides by another scheme from the next step on; returns the scheme so far. Called on all PEs.
std::unique_ptr<DecisionScheme> use_scheme(std::unique_ptr<DecisionScheme> scheme);

/// The places of objects during a step: all at one sync point, or anywhere between sync points.
enum class StepAt : bool { sync_point, between };
/// Makes the step that run_pe() calls for. A step between sync points does not change which sync point is the
/// next step.
void lb_step(StepAt at = StepAt::sync_point);
/// Returns where objects are, or were, in the present or last step.
StepAt latest_step_at();

/// Leaves out a step for which objects have stopped; they go on without it. Called on every PE that computes;
/// not in lazy jobs.
void leave_step_out();

/// Measures the last interval at the end of the job, on every PE, without moving anything, so that a job
/// without LB knows its imbalance too. Collective.
void measure_whole_run(AfterJob after);

/// Closes the report and the dump and prints the closing lines, on PE 0. Returns false if one of the files
/// could not be written. An earlier message said so: the job went on without it, but must not end as if all
/// were well.
[[nodiscard]] bool close_lb_steps();

/// Returns a sync point that no object has passed, in or behind a step.
std::uint64_t last_point();
/// Continues another job, in which no object had passed `point`. Called on all PEs, after start_lb_steps()
/// and agree_on_steps(), before any object runs.
void begin_behind(std::uint64_t point);

}  // namespace skein::balance
