// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/preemption.hpp"

#include <array>
#include <cstdint>
#include <ctime>
#include <string>

#include "runtime/base/log.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::trace {

double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Disturbance tell_preemption(const Preempted& here) {
  const auto ns = [](double s) { return static_cast<std::uint64_t>(s * 1e9); };
  std::array<std::uint64_t, 3> sums{ns(here.busy_s), ns(here.lost_s), here.is_left_out ? 0u : 1u};
  net::sum_polling(sums);
  const Disturbance disturbance{sums[0], sums[1], sums[2] == 0};
  if (const std::string text = to_text(disturbance); net::world.pe == 0 && !text.empty())
    SKEIN_WARN("%s. Record on cores that nobody else uses, with no more PEs than cores (-p)", text.c_str());
  return disturbance;
}

}  // namespace skein::trace
