// SPDX-License-Identifier: Apache-2.0
// What moving and sending take on this machine, measured at the start of a job.
#pragma once

#include "skein/lb/cost.hpp"

namespace skein::move {

/// Collective over all PEs, before the first rank runs; the same result on each: the slowest PE's. A few
/// milliseconds.
lb::CostModel measure_machine();
/// Whether moving a rank takes time for its bytes. Else the bytes cost only later, when the rank's new PE
/// meets its pages.
bool moves_copy();

}  // namespace skein::move
