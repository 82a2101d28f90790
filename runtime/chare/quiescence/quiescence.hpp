// SPDX-License-Identifier: Apache-2.0
// Finds the moment when no entry method runs, no call waits in a queue and no message is under way, on any
// PE; and decides what it means: quiescence that somebody waits for, an LB step, the end of the job, or a job
// that can make no progress.
//
// The four-counter method (Mattern 1987), in rounds that PE 0 starts when it is idle. A PE answers when it is
// idle itself, so rounds disturb nobody who works; one that is never idle answers all the same in time, that
// it is not. So PE 0 sees, too, that all elements that synchronize wait for others that never rest.
#pragma once

#include <cstdint>

#include "runtime/balance/step_config.hpp"

namespace skein::chare {

/// Sets handlers and receivers. On every PE, once.
void start_quiescence();

/// By the loop, when it has had nothing to do since then, in ticks().
void note_idle(std::uint64_t since);
/// From time to time on a PE that has something to do.
void note_busy();

/// Somebody waits for quiescence. On PE 0.
bool is_quiescence_wanted();

/// On PE 0, once: when there are LB steps without sync points (called_steps.hpp).
void configure_called_steps(const balance::StepConfig& config);
/// An LB step is over on this PE.
void note_step_made();

}  // namespace skein::chare
