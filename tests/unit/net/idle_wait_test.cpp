// SPDX-License-Identifier: Apache-2.0
// How much of the core a waiting PE takes. The bounds hold on a busy machine, too, as other processes only
// take time from the PE that waits.
#include "runtime/net/idle_wait.hpp"

#include <doctest/doctest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "runtime/base/clock.hpp"

using skein::net::IdleWait;

namespace {

double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Returns the share of a core that waiting takes, over 0.4 s.
double share_of_core(IdleWait& idle) {
  constexpr double long_enough_s = 0.4;
  const double begin = skein::seconds(), used = processor_seconds();
  while (skein::seconds() < begin + long_enough_s) idle.wait();
  return (processor_seconds() - used) / (skein::seconds() - begin);
}

/// Binds this process to one core, with another process that computes there, until the end of the scope.
class BusyNeighbour {
 public:
  BusyNeighbour() {
    REQUIRE(sched_getaffinity(0, sizeof before_, &before_) == 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
      if (CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &one);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    child_ = fork();
    REQUIRE(child_ >= 0);
    for (volatile int computing = 0; child_ == 0;) computing = computing + 1;
  }
  ~BusyNeighbour() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    sched_setaffinity(0, sizeof before_, &before_);
  }
  BusyNeighbour(const BusyNeighbour&) = delete;
  BusyNeighbour& operator=(const BusyNeighbour&) = delete;

 private:
  cpu_set_t before_;
  pid_t child_;
};

/// Returns the length that the sleeps of one long wait reach, ns.
std::int64_t longest_sleep_ns(int pes_per_core) {
  static std::int64_t longest = 0;
  longest = 0;
  IdleWait idle;
  idle.set_pes_per_core(pes_per_core);
  for (int i = 0; i < 1000; ++i) idle.wait([](std::int64_t ns) { longest = std::max(longest, ns); });
  return longest;
}

}  // namespace

TEST_CASE("IdleWait: where PEs outnumber cores, waiting takes next to nothing") {
  IdleWait idle;
  idle.set_pes_per_core(2);
  CHECK(share_of_core(idle) < 0.25);
}

TEST_CASE("IdleWait: a core that another process computes on is left to it") {
  const BusyNeighbour neighbour;
  IdleWait idle;
  CHECK(share_of_core(idle) < 0.25);  // spinning would take half
}

TEST_CASE("IdleWait: sleeps become 200 us long, and longer where more than 16 PEs share a core") {
  CHECK(longest_sleep_ns(2) == 200'000);
  CHECK(longest_sleep_ns(16) == 200'000);
  CHECK(longest_sleep_ns(32) == 400'000);
  CHECK(longest_sleep_ns(128) == 1'600'000);
}

TEST_CASE("IdleWait: a sleep lasts as long as it is to") {
  const double before = skein::seconds();
  skein::net::sleep_through(200'000);
  CHECK(skein::seconds() - before >= 200e-6);
}
