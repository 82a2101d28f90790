// SPDX-License-Identifier: Apache-2.0
// Timers of this PE (skein/timer.hpp). The loop calls those that are due, and reports when it is idle.
#pragma once

#include <cstdint>

namespace skein::chare {

/// Calls back the timers that are due. Returns true if there were any.
bool fire_timers();
/// Makes one call that waits for this PE to be idle. Returns true if there was any.
bool call_idle_one();
/// Counts timers set here that must call before the job ends.
std::uint64_t timers_to_come();
/// Returns true if there is any timer, periodic ones and calls for an idle PE included.
bool any_timer();

}  // namespace skein::chare
