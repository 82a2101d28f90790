// SPDX-License-Identifier: Apache-2.0
// PAPI events, counted for each rank: they are read at every switch, and the difference is charged to the
// rank that ran. Reading takes one or two microseconds (a system call for each event if the processor's
// counters are not readable from user space), so a job without --papi reads nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/load/meter.hpp"

namespace skein::load {

/// Starts counting on the calling thread. `events` are at most kMaxCounters PAPI names, presets or native
/// ones. Throws skein::Error for an event that the machine lacks, with the names of some it has.
void start_counters(std::span<const std::string> events);

/// Adds what was counted since the last call to `meter`, or drops it (null). On the thread that started the
/// counters.
void charge_counters(Meter* meter);

}  // namespace skein::load
