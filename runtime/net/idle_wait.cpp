// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/idle_wait.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "runtime/base/clock.hpp"

namespace skein::net {
namespace {

constexpr std::int64_t kRoundsWithoutYield = 2000;
constexpr std::int64_t kRoundsPerYield = 16;
constexpr std::int64_t kYieldsWhenShort = 15;
constexpr std::int64_t kLongestSleep = 200;  // in units
constexpr std::int64_t kSleepUnitNs = 1000;
constexpr int kPesOfUnit = 16;
/// A yield that takes longer went to another process: one to nobody takes less than a microsecond, one to a
/// process at least its slice of the core.
constexpr double kLongYieldNs = 50'000;
/// A PE that has spun that long will wait longer, and can as well leave the energy to others.
constexpr double kLongestSpinNs = 1e9;

/// Offers the core to others. Returns true if one took it.
bool is_core_wanted() {
  const std::uint64_t before = ticks();
  sched_yield();
  return ns_since(before) > kLongYieldNs;
}

}  // namespace

void sleep_through(std::int64_t ns) {
  const timespec pause{ns / 1'000'000'000, ns % 1'000'000'000};
  nanosleep(&pause, nullptr);
}

void IdleWait::set_pes_per_core(int pes) {
  cores_are_short_ = pes > 1;
  sleep_unit_ns_ = kSleepUnitNs * std::max(pes, kPesOfUnit) / kPesOfUnit;
}

void IdleWait::lie_down(Sleep sleep) {
  ++sleeps_;
  sleep(sleep_unit_ns_ * std::min(kLongestSleep, sleeps_));
}

void IdleWait::wait(Sleep sleep) {
  ++rounds_;
  if (cores_are_short_ && rounds_ <= kYieldsWhenShort) {
    sched_yield();
    return;
  }
  if (cores_are_short_ || sleeps_ > 0) return lie_down(sleep);
  if (rounds_ < kRoundsWithoutYield) return;
  if (rounds_ == kRoundsWithoutYield) spin_start_ = ticks();
  if (rounds_ % kRoundsPerYield != 0)
    __builtin_ia32_pause();
  else if (is_core_wanted() || ns_since(spin_start_) > kLongestSpinNs)
    lie_down(sleep);
}

}  // namespace skein::net
