// SPDX-License-Identifier: Apache-2.0
// Charges processor time to elements. The time since the clock was last read is charged to the element whose
// method has returned; the load of an element in an interval between LB steps is the sum.
#pragma once

#include <map>
#include <utility>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "skein/chare/element.hpp"

namespace skein::chare {

struct Charged {
  std::uint64_t until = 0;       ///< ticks: time up to here is charged
  std::uint64_t task_ended = 0;  ///< ticks: the end of the last task
  std::uint64_t busy = 0;        ///< ticks that this PE has spent in entry methods
  /// Times of families that have ended since the last LB step, by where they were placed and where they were
  /// at that step (Element::placed_on, was_on).
  std::map<std::pair<int, int>, std::uint64_t> ended;
};
[[gnu::visibility("hidden")]] extern PerRuntime<Charged> charged;  // accessed without the global offset table

inline void charge(Element& element) {
  const std::uint64_t now = ticks();
  const std::uint64_t used = now - charged->until;
  element.busy_ticks += used;
  charged->busy += used;
  charged->until = now;
}
/// Charges the last `ticks` to no element.
inline void charge_nobody(std::uint64_t ticks) { charged->until += ticks; }
/// Counts ticks that this PE spent on loops of others.
inline void count_as_busy(std::uint64_t ticks) { charged->busy += ticks; }
/// Returns the seconds that this PE has spent in entry methods.
inline double busy_seconds() { return seconds_of(charged->busy); }

/// Begins to measure an element that is made here, from its sync point on.
void begin_measuring(Element& element);
/// Notes that a family which took `ticks` since the last LB step has ended here.
void note_ended(const Element& leader, std::uint64_t ticks);
/// Moves the times of ended families into the interval.
void take_ended(balance::IntervalShare& share);

}  // namespace skein::chare
