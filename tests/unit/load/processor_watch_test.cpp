// SPDX-License-Identifier: Apache-2.0
// Compares the time that others had of the processor with the time that the kernel says this thread had.
#include "runtime/load/processor_watch.hpp"

#include <doctest/doctest.h>
#include <sched.h>
#include <time.h>

#include <atomic>
#include <thread>

#include "runtime/base/clock.hpp"

using namespace skein;
using namespace skein::load;

namespace {

double thread_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Binds this thread, and the threads that it starts, to one core while the object lives.
class OneCore {
 public:
  OneCore() {
    sched_getaffinity(0, sizeof all_, &all_);
    cpu_set_t one;
    CPU_ZERO(&one);
    int core = 0;
    while (!CPU_ISSET(core, &all_)) ++core;
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneCore() { sched_setaffinity(0, sizeof all_, &all_); }

 private:
  cpu_set_t all_;
};

/// Watches for `seconds_long`, and returns the time that was lost, s.
double lost_while_computing(double seconds_long) {
  std::uint64_t lost = 0;
  for (const double end = seconds() + seconds_long; seconds() < end;)
    if (may_have_lost_processor()) lost += lost_ticks();
  return seconds_of(lost);
}

}  // namespace

TEST_CASE("processor watch: what another thread has of the core is lost") {
  const OneCore one_core;
  if (!watch_processor()) {
    MESSAGE("this system does not tell when a thread loses its processor");
    CHECK(!may_have_lost_processor());
    return;
  }
  std::atomic<bool> over = false;
  std::thread other([&] {
    while (!over) {
    }
  });
  const double start = seconds(), had = thread_seconds();
  (void)lost_ticks();  // drop what was lost while the thread was made
  const double lost = lost_while_computing(0.4);
  const double not_had = (seconds() - start) - (thread_seconds() - had);
  over = true;
  other.join();
  stop_watching_processor();
  CHECK(not_had > 0.05);
  CHECK(lost <= not_had + 0.001);
  CHECK(lost >= 0.5 * not_had);  // the host of a virtual machine takes some of it, too
}

TEST_CASE("processor watch: what passes while the thread sleeps is not lost") {
  if (!watch_processor()) return;
  (void)lost_ticks();
  const timespec pause{0, 100'000'000};
  const double start = seconds();
  nanosleep(&pause, nullptr);
  const double slept = seconds() - start;
  CHECK(seconds_of(lost_ticks()) < slept - 0.05);
  stop_watching_processor();
  CHECK(!may_have_lost_processor());
}
