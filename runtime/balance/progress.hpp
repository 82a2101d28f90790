// SPDX-License-Identifier: Apache-2.0
// The status line of a run on a terminal: how fast it goes, how balanced it is, what has moved, for how long
// it runs. PE 0 draws it, from what it knows anyway; nobody is asked and nobody waits.
#pragma once

#include <optional>

#include "runtime/balance/pace.hpp"
#include "runtime/base/clock.hpp"

namespace skein::balance {

struct StepRecord;

/// On PE 0, when the job begins. Nothing is shown where standard error is no terminal; nor, unless it is
/// `wanted`, where standard output is a pipe.
void start_progress(std::optional<bool> wanted);
void note_step(const StepRecord& record);

void draw_progress();
/// From the loop of the PE, again and again.
inline void keep_progress() {
  if (ticks() >= pace->progress_due) draw_progress();
}
/// Before the closing lines.
void end_progress();

}  // namespace skein::balance
