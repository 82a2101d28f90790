// SPDX-License-Identifier: Apache-2.0
// Reports who waits for whom within an LB step, in jobs that have reserved PEs. The witness
// (answer_watch.hpp) sees to it that a step begins when all are there. Within it all PEs make collective
// calls, which none can leave: a PE that stops there, or decides for long, keeps the others. After the
// patience of the mode PE 0 says for whom they wait, and ends the job if the mode says so.
#pragma once

#include "skein/lb/mode.hpp"

namespace skein::balance {

/// Begins to watch the steps of a job of this mode.
void begin_step_watch(const lb::Mode& mode);

/// While an object of this class lives, this PE is in a step, or in the meeting before it.
class StepWatch {
 public:
  StepWatch();
  ~StepWatch();
  StepWatch(const StepWatch&) = delete;
  StepWatch& operator=(const StepWatch&) = delete;
};

}  // namespace skein::balance
