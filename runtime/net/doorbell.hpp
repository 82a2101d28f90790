// SPDX-License-Identifier: Apache-2.0
// How a process that sleeps is woken by another one that has put something into memory that both share.
#pragma once

#include <atomic>
#include <cstdint>

namespace skein::net {

/// The sleeper says that it sleeps and then looks whether anything has come; the other puts something there
/// and then looks whether the sleeper sleeps. There is a fence between the two on either side, so that one of
/// them sees what the other did.
class alignas(64) Doorbell {
 public:
  /// Sleeps until it is rung, `ns` at most, unless `has_come()` already. One process at a time.
  template <class HasCome>
  void sleep(std::int64_t ns, const HasCome& has_come) {
    asleep_.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // with ring()
    if (!has_come()) wait(ns);
    asleep_.store(0, std::memory_order_relaxed);
  }
  /// Whoever sleeps wakes. After something was put where the sleeper looks. Takes some 10 ns if nobody does.
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
