// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "skein/lb/interval.hpp"

namespace skein::balance {

using lb::Interval;
using lb::IntervalShare;

/// Returns true if all PEs get figures of each PE: for a report, or for a decision. Otherwise nothing is
/// exchanged that grows with the PEs, and sums have no figures of single PEs. The same on all PEs.
/// (lb_step.cpp)
bool each_pe_is_told();

/// Sums the shares of all PEs. Collective.
Interval sum_over_pes(IntervalShare mine, std::uint64_t index, std::uint64_t points);

}  // namespace skein::balance
