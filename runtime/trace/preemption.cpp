// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/preemption.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>

#include "runtime/base/log.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::trace {
namespace {

// Less is within what the clocks and interrupts differ by.
constexpr double tolerated_part = 0.02, tolerated_s = 0.05;

}  // namespace

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void tell_preemption(const Preempted& here) {
  const auto ns = [](double s) { return static_cast<std::uint64_t>(s * 1e9); };
  std::array<std::uint64_t, 3> sums{ns(here.busy_s), ns(here.lost_s), here.is_left_out ? 0u : 1u};
  net::sum_polling(sums);
  const double busy = static_cast<double>(sums[0]) * 1e-9, lost = static_cast<double>(sums[1]) * 1e-9;
  if (net::world.pe != 0 || lost < tolerated_s || lost < tolerated_part * busy) return;
  if (sums[2] == 0)
    SKEIN_WARN(
        "others had the cores for %.2f s of the %.2f s in which what the trace tells was computed: that is "
        "in "
        "no burst, but what they did to caches is. Record on cores that nobody else uses, with no more PEs "
        "than cores (-p)",
        lost, busy);
  else
    SKEIN_WARN(
        "the trace tells of %.2f s of computing, of which others had the cores for %.2f s or more: its "
        "bursts "
        "are too long by that, for this system does not tell when a thread loses its processor. Record on "
        "cores that nobody else uses, with no more PEs than cores (-p)",
        busy, lost);
}

}  // namespace skein::trace
