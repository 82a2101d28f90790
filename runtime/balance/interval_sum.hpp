// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "skein/lb/interval.hpp"

namespace skein::balance {

using lb::Interval;
using lb::IntervalShare;

/// Whether figures of each PE are told to all: for a report, or what decides by them. Else nothing goes
/// around that grows with the PEs, and there is nothing of single PEs in what was summed up. The same on all
/// PEs. (lb_step.cpp)
bool each_pe_is_told();

/// Collective.
Interval sum_over_pes(IntervalShare mine, std::uint64_t index, std::uint64_t points);

}  // namespace skein::balance
