// SPDX-License-Identifier: Apache-2.0
// Timers of this PE (skein/timer.hpp). The loop asks for those that are due, and says when it is idle.
#pragma once

#include <cstdint>

namespace skein::chare {

/// Calls back those whose time has come. Returns whether there were any.
bool fire_timers();
/// Calls back one of those who wait for this PE to be idle. Returns whether there was any.
bool call_idle_one();
/// Set here, and to be called before the job ends.
std::uint64_t timers_to_come();
/// Or one that is called again and again, or when this PE is idle.
bool any_timer();

}  // namespace skein::chare
