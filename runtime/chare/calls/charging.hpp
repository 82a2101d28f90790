// SPDX-License-Identifier: Apache-2.0
// Whose processor time it is. What has passed since the clock was last looked at is charged to the element
// whose method has returned; what is measured of elements in an interval between LB steps is the sum.
#pragma once

#include <map>
#include <utility>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "skein/chare/element.hpp"

namespace skein::chare {

struct Charged {
  std::uint64_t until = 0;       ///< ticks: time up to here has been charged to somebody
  std::uint64_t task_ended = 0;  ///< ticks: when one did last
  std::uint64_t busy = 0;        ///< ticks that this PE has spent in entry methods
  /// Times of families that have ended since the last LB step, by where they were placed and where they were
  /// at its end (Element::placed_on, was_on).
  std::map<std::pair<int, int>, std::uint64_t> ended;
};
[[gnu::visibility("hidden")]] extern PerRuntime<Charged> charged;  // no indirection by a table of addresses

inline void charge(Element& element) {
  const std::uint64_t now = ticks();
  const std::uint64_t used = now - charged->until;
  element.busy_ticks += used;
  charged->busy += used;
  charged->until = now;
}
/// So many ticks that have just passed are no element's.
inline void charge_nobody(std::uint64_t ticks) { charged->until += ticks; }
/// This PE spent them on others' loops.
inline void count_as_busy(std::uint64_t ticks) { charged->busy += ticks; }
/// Seconds this PE has spent in entry methods.
inline double busy_seconds() { return seconds_of(charged->busy); }

/// An element is made here: what is measured of it begins with its sync point.
void begin_measuring(Element& element);
/// A family has ended here that took so many ticks since the last LB step.
void note_ended(const Element& leader, std::uint64_t ticks);
/// Moves what those took into the interval.
void take_ended(balance::IntervalShare& share);

}  // namespace skein::chare
