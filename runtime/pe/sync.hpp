// SPDX-License-Identifier: Apache-2.0
// Sync points as ranks meet them. Every rank counts its own; the period (period.hpp) selects which of them
// are LB steps, the same for all ranks, so a sync point that is none costs a counter and a comparison.
#pragma once

#include <cstdint>

#include "runtime/balance/period.hpp"

namespace skein::pe {

/// From a rank's main fiber: `passed` is the rank's own count, in its slot. May switch; the rank may be on
/// another PE when this returns.
void sync_point(std::uint64_t& passed);

}  // namespace skein::pe
