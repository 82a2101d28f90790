// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/period.hpp"

#include "runtime/base/pe_runtime.hpp"

namespace skein::balance {
namespace {

struct Schedule {
  Period period;
  // With an automatic period: the sync point that is the next step, and how many come after the last one to
  // it. Equal on all PEs, those without ranks included, since all take part in every step.
  std::uint64_t next_step = 1;
  std::uint64_t interval = 1;
};
PerRuntime<Schedule> schedule;

}  // namespace

void set_period(Period new_period) { schedule->period = new_period; }

bool next_gathers(std::uint64_t passed) {
  if (schedule->period.automatic) return passed + 1 == schedule->next_step;
  return schedule->period.seconds > 0 ||
         (schedule->period.points > 0 && (passed + 1) % schedule->period.points == 0);
}

std::uint64_t points_in_interval() {
  if (schedule->period.automatic) return schedule->interval;
  return schedule->period.seconds > 0 ? 1 : schedule->period.points;
}

void set_next_step(std::uint64_t points) {
  schedule->interval = points;
  schedule->next_step += points;
}

}  // namespace skein::balance
