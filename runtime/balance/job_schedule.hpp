// SPDX-License-Identifier: Apache-2.0
// Which sync points are LB steps: the schedule of this job. The same on all PEs, those without objects
// included, since all take part in every step.
#pragma once

#include <cstdint>

#include "runtime/balance/progress.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "skein/lb/schedule.hpp"

namespace skein::balance {

extern PerRuntime<lb::Schedule> job_schedule;

/// As the schedule's, of an object that passes a sync point.
inline bool next_gathers(std::uint64_t passed) {
  note_point(passed);
  return job_schedule->next_gathers(passed);
}

}  // namespace skein::balance
