// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/calls/charging.hpp"

#include <algorithm>

#include "runtime/balance/lazy/lazy_pe.hpp"

namespace skein::chare {

PerRuntime<Charged> charged;

void begin_measuring(Element& element) {
  const auto from = std::max(element.sync_points, static_cast<std::uint32_t>(balance::newest_share()));
  if (from != element.rare().measured_at) element.rare_made().measured_at = from;
}

void note_ended(const Element& leader, std::uint64_t ticks) {
  charged->ended[{leader.placed_on, leader.was_on}] += ticks;
}

void take_ended(balance::IntervalShare& share) {
  for (const auto& [belonging, ticks] : std::exchange(charged->ended, {}))
    share.add_object(seconds_of(ticks), belonging.first, belonging.second);
}

}  // namespace skein::chare
