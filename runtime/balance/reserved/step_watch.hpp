// SPDX-License-Identifier: Apache-2.0
// Who waits for whom within an LB step, in jobs that have reserved PEs. The witness (answer_watch.hpp) sees
// to it that a step begins when all are there. Within it all PEs make collective calls, which none can leave:
// one that stops there, or decides for long, keeps the others. After the patience of the mode PE 0 tells for
// whom they wait, and ends the job if it is told to.
#pragma once

#include "skein/lb/mode.hpp"

namespace skein::balance {

/// From here on, of jobs of this mode.
void begin_step_watch(const lb::Mode& mode);

/// As long as one is there, this PE is in a step, or in the meeting before.
class StepWatch {
 public:
  StepWatch();
  ~StepWatch();
  StepWatch(const StepWatch&) = delete;
  StepWatch& operator=(const StepWatch&) = delete;
};

}  // namespace skein::balance
