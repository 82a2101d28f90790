// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/period.hpp"

#include "runtime/balance/progress.hpp"
#include "runtime/base/pe_runtime.hpp"

namespace skein::balance {
namespace {
PerRuntime<lb::Schedule> schedule;
}

void set_period(Period period) { *schedule = lb::Schedule(period); }
bool next_gathers(std::uint64_t passed) {
  note_point(passed);
  return schedule->next_gathers(passed);
}
std::uint64_t points_in_interval() { return schedule->points_in_interval(); }
void set_next_step(std::uint64_t points) { schedule->set_next_step(points); }

}  // namespace skein::balance
