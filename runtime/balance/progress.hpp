// SPDX-License-Identifier: Apache-2.0
// The status line of a run on a terminal: how fast it goes, how balanced it is, what has moved, for how long
// it runs. PE 0 draws it from what it knows anyway, without a message or a wait.
#pragma once

#include <optional>

#include "runtime/balance/pace.hpp"
#include "runtime/base/clock.hpp"

namespace skein::balance {

struct StepRecord;

/// Starts the status line, on PE 0, when the job begins. Shows nothing where standard error is no terminal;
/// nor, unless it is `wanted`, where standard output is a pipe.
void start_progress(std::optional<bool> wanted);
void note_step(const StepRecord& record);

void draw_progress();
/// Draws the line when it is due; called from the loop of the PE, again and again.
inline void keep_progress() {
  if (ticks() >= pace->progress_due) draw_progress();
}
/// Ends the status line, before the closing lines.
void end_progress();

}  // namespace skein::balance
