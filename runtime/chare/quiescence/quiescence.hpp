// SPDX-License-Identifier: Apache-2.0
// Finds the moment when, on all PEs, no entry method runs, no call waits in a queue and no message is under
// way; and decides what it means: awaited quiescence, an LB step, the end of the job, or a job that can make
// no progress.
//
// Uses the four-counter method (Mattern 1987), in rounds that PE 0 starts when it is idle. A PE answers when
// it is idle itself, so rounds disturb no working PE; one that is never idle answers after a while that it is
// busy. So PE 0 also sees that all synchronizing elements wait for others that never rest.
#pragma once

#include <cstdint>

#include "runtime/balance/step_config.hpp"

namespace skein::chare {

/// Sets handlers and receivers. On every PE, once.
void start_quiescence();

/// Takes part in rounds. Called by the loop when it has been idle since `since`, in ticks().
void note_idle(std::uint64_t since);
/// Takes part in rounds. Called from time to time on a busy PE.
void note_busy();

/// Returns true if a callback waits for quiescence. On PE 0.
bool is_quiescence_wanted();

/// Sets up LB steps without sync points (called_steps.hpp). On PE 0, once.
void configure_called_steps(const balance::StepConfig& config);
/// Notes that an LB step is over on this PE.
void note_step_made();

}  // namespace skein::chare
