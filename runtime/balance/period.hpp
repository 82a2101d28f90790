// SPDX-License-Identifier: Apache-2.0
// Which sync points are LB steps. The same on all PEs and for all objects, so that they agree without a
// message.
#pragma once

#include <cstdint>

namespace skein::balance {

/// When sync points are LB steps.
struct Period {
  std::uint64_t points = 0;  ///< every so many; 0: never
  double seconds = 0;  ///< if above 0: every sync point gathers the ranks, and those at which so much time
                       ///< has passed are steps
  bool automatic = false;  ///< the first sync point is a step, and each step says when the next one is
};
void set_period(Period period);

/// Whether the next sync point of an object that has passed so many gathers all, so that they may be moved
/// there.
bool next_gathers(std::uint64_t passed);

/// At a step: how many sync points it comes after the last one (in a period of seconds, 1).
std::uint64_t points_in_interval();
/// At a step, with an automatic period, the same on all PEs: the next step is so many sync points later.
void set_next_step(std::uint64_t points);

}  // namespace skein::balance
