// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/period.hpp"

namespace skein::balance {
namespace {
Period period;

// With an automatic period: the sync point that is the next step, and how many come after the last one to it.
// Equal on all PEs, those without ranks included, since all take part in every step.
std::uint64_t next_step = 1;
std::uint64_t interval = 1;

}  // namespace

void set_period(Period new_period) { period = new_period; }

bool next_gathers(std::uint64_t passed) {
  if (period.automatic) return passed + 1 == next_step;
  return period.seconds > 0 || (period.points > 0 && (passed + 1) % period.points == 0);
}

std::uint64_t points_in_interval() {
  if (period.automatic) return interval;
  return period.seconds > 0 ? 1 : period.points;
}

void set_next_step(std::uint64_t points) {
  interval = points;
  next_step += points;
}

}  // namespace skein::balance
