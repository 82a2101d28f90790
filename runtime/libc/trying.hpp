// SPDX-License-Identifier: Apache-2.0
// Waits for an action that another rank of the PE may have to do first (give a lock back, post a semaphore,
// take a message out): waiting in the system would stop the PE for ever.
#pragma once

#include <cerrno>
#include <cstdint>

#include "runtime/fiber/thread_block.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::libc {

/// Calls `attempt()` until it returns another value than -1 or `is_busy()` says that errno is of another
/// kind; lets the other ranks run in between.
template <class Attempt, class IsBusy>
auto try_until(Attempt attempt, IsBusy is_busy) {
  constexpr std::uint64_t pause_ns = 100'000;
  fiber::RuntimeScope runtime;
  for (;;) {
    const auto result = attempt();
    if (result != -1 || !is_busy()) return result;
    if (any_ready())
      yield();
    else
      sleep_for(pause_ns);
  }
}

}  // namespace skein::libc
