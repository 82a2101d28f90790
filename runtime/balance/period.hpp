// SPDX-License-Identifier: Apache-2.0
// Which sync points are LB steps: the schedule of this job. The same on all PEs, those without objects
// included, since all take part in every step.
#pragma once

#include <cstdint>

#include "skein/lb/schedule.hpp"

namespace skein::balance {

using lb::Period;

void set_period(Period period);

/// As in lb::Schedule.
bool next_gathers(std::uint64_t passed);
std::uint64_t points_in_interval();
void set_next_step(std::uint64_t points);

}  // namespace skein::balance
