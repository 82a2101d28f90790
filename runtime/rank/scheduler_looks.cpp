// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/looks.hpp"

#include "runtime/rank/switch.hpp"

namespace skein {

using namespace scheduling;

void share_looks() {
  if (!upcalls.rank_changes && !scheduler->tls_bytes) scheduler->looks.share();
}

void look_at_each_switch() {
  scheduler->looks.each_switch();
  if (const Fiber* const self = current_fiber())
    self->rank->meter.resumed_at = scheduler->resumed_at = stop_clock(*self);
}

bool looks_at_each_switch() { return scheduler->looks.are_each_switch(); }

namespace {

/// Sets, after a reading of the clock at `now`, after how many calls the running fiber reads it again.
void adapt_looks(Fiber& fiber, std::uint64_t now) {
  const std::uint64_t took = now - std::max(scheduler->looked_at, scheduler->resumed_at);
  const std::uint64_t between = scheduler->looks.ticks_between;
  if (took > 2 * between)
    fiber.calls_between_looks = 1;
  else if (took < between)
    fiber.calls_between_looks = std::min(2 * fiber.calls_between_looks, kMostBetweenLooks);
  scheduler->looked_at = now;
  fiber::thread_block.calls_until_look = fiber.calls_between_looks;
}

}  // namespace

void poll_if_due() {
  Fiber& self = *current_fiber();
  const std::uint64_t now = ticks();
  adapt_looks(self, now);
  if (now < scheduler->poll_due || !upcalls.poll) return;
  leave(self);
  poll_while_ready(self);
  const std::uint64_t end = ticks();
  scheduler->poll_due = end + scheduler->ticks_between_polls;
  enter(self, end);
}

}  // namespace skein
