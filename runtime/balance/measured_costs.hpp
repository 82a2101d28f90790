// SPDX-License-Identifier: Apache-2.0
// What moving and sending take on this machine, measured at the start of a job.
#pragma once

#include "skein/lb/cost.hpp"

namespace skein::balance {

/// Collective over all PEs, before the first object runs; the same result on each: the slowest PE's. A few
/// milliseconds. `moves_copy`: as in objects.hpp.
lb::CostModel measure_costs(bool moves_copy);

/// How many pages this process has met for the first time so far.
double met_pages();

}  // namespace skein::balance
