// SPDX-License-Identifier: Apache-2.0
// Wakes a sleeping process when another one has put something into memory that both share.
#pragma once

#include <atomic>
#include <cstdint>

namespace skein::net {

/// Lets a process sleep until another rings. The sleeper announces that it sleeps, then looks whether
/// anything has come; the other puts something there, then looks whether the sleeper sleeps. Each has a fence
/// between the two steps, so that one of them sees what the other did.
class alignas(64) Doorbell {
 public:
  /// Sleeps until ring() is called, at most `ns`. Returns at once if `has_come()` is true. One process at a
  /// time.
  template <class HasCome>
  void sleep(std::int64_t ns, const HasCome& has_come) {
    asleep_.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // with ring()
    if (!has_come()) wait(ns);
    asleep_.store(0, std::memory_order_relaxed);
  }
  /// Wakes the sleeper. Call it after putting something where the sleeper looks. Takes some 10 ns if nobody
  /// sleeps.
  void ring() {
    std::atomic_thread_fence(std::memory_order_seq_cst);  // with sleep()
    if (asleep_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      wake();
  }

 private:
  void wait(std::int64_t ns);
  void wake();

  std::atomic<std::uint32_t> asleep_;  // a futex
};

}  // namespace skein::net
