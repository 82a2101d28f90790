// SPDX-License-Identifier: Apache-2.0
// Computes for some time during which the rank has the processor, whoever else has it meanwhile.
#pragma once
#include <time.h>

#include "check.h"

/// Returns the processor time of the thread: no other rank runs during the computation.
static inline double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void compute_for(double microseconds) {
  const double end = processor_seconds() + microseconds * 1e-6;
  while (processor_seconds() < end) {
  }
}
