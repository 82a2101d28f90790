// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace skein::load {

inline constexpr int kMaxCounters = 8;

/// The use of one rank since its creation. Lives in its slot; the scheduler adds to it.
struct Meter {
  std::uint64_t busy_ticks = 0;  ///< time on the processor, without waiting; base/clock.hpp has the unit
  std::uint64_t resumed_at = 0;  ///< ticks() when the rank last got the processor
  std::uint64_t lost_ticks = 0;  ///< of busy_ticks: others had the processor; no burst excludes it yet
  std::uint64_t busy_at_interval = 0;  ///< busy_ticks when the present interval between LB steps began
  std::uint64_t busy_at_step = 0;      ///< busy_ticks then, plus time since that was not to be measured
  std::uint64_t paused_at = 0;         ///< busy_ticks when the rank stopped measuring; 0: it is measured
  std::int64_t counters[kMaxCounters] = {};  ///< PAPI events, in the order of --papi
  std::int64_t counter_at_step = 0;          ///< the counter that is the load, at the last LB step
};

}  // namespace skein::load
