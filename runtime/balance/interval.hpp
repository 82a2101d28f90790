// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "skein/lb/interval.hpp"

namespace skein::balance {

using lb::Interval;
using lb::IntervalShare;

/// Collective.
Interval sum_over_pes(const IntervalShare& mine, std::uint64_t index, std::uint64_t points);

}  // namespace skein::balance
