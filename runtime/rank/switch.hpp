// SPDX-License-Identifier: Apache-2.0
// Saves and restores the state at a switch from fiber to fiber, or between fibers and the PE: the inside of
// the scheduler (scheduler.cpp), and used in this folder alone. Inlined, as each part is a few instructions
// of one of the hottest paths.
//
//   no look is due                  hand_over(): the next fiber's state, nothing else
//   a look, nothing comes of it     stop_clock(), then go_straight()
//   else                            leave(), whatever is to be done, then give_way() or enter()
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/fiber/context.hpp"
#include "runtime/load/processor_watch.hpp"
#include "runtime/rank/looks.hpp"
#include "runtime/rank/process_guard.hpp"
#include "runtime/rank/run_queue.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/rank/sleepers.hpp"

namespace skein::scheduling {

/// The state of a PE's scheduler.
struct Scheduler {
  RunQueue queue;
  SwitchLooks looks;
  std::uint64_t resumed_at = 0;  // ticks() as last read where a fiber got the processor
  SchedulerStats stats;
  Sleepers sleepers;
  fiber::Context pe_context = nullptr;
  ThreadState pe_thread;
  std::size_t tls_bytes = 0;
  std::uint64_t poll_due = 0;    // in ticks()
  bool yielding = false;         // a fiber that is about to be ready again polls
  std::uint64_t looked_at = 0;   // when poll_if_due() last looked, in ticks()
  const Fiber* polls = nullptr;  // the fiber on whose stack the PE polls, while no fiber runs
  // Belongs to the process; 0 before the first switch.
  unsigned long pe_pointer_guard = 0;
  std::uint64_t ticks_between_polls = 0;  // kBetweenPollsNs in ticks
};
extern PerRuntime<Scheduler> scheduler;

/// The time between polls: a hundred switches and more, while a poll takes as long as a few. Measured by the
/// clock and not by switches, so that a message waits no longer than one rank computes.
inline constexpr double kBetweenPollsNs = 5000;

inline std::byte* tls_of_program() { return fiber::thread_pointer() - scheduler->tls_bytes; }

/// Charges the fiber's rank with the time that it has used. Returns the time.
[[gnu::always_inline]] inline std::uint64_t stop_clock(const Fiber& fiber) {
  load::Meter& meter = fiber.rank->meter;
  const std::uint64_t now = ticks();
  // A fiber that got the processor without a look at the clock is charged the time before as well.
  const std::uint64_t used = now - std::max(meter.resumed_at, scheduler->resumed_at);
  meter.busy_ticks += used;
  load::note_lost_ticks(meter, used);
  scheduler->stats.busy_ticks += used;
  scheduler->looks.was_had(used);
  return now;
}

/// Saves the thread's state in the fiber; the thread has none until enter().
[[gnu::always_inline]] inline void put_away(Fiber& fiber) {
  const Rank& rank = *fiber.rank;
  fiber::save(fiber.thread);
  if (scheduler->tls_bytes) memcpy(rank.tls_copy, tls_of_program(), scheduler->tls_bytes);
  fiber.active_heap = fiber::thread_block.heap;
  fiber::thread_block.heap = nullptr;
  fiber::thread_block.rank = nullptr;
  fiber::thread_block.fiber = nullptr;
}
/// Takes the processor from the fiber. Returns the time.
[[gnu::always_inline]] inline std::uint64_t leave(Fiber& fiber) {
  const std::uint64_t now = stop_clock(fiber);
  put_away(fiber);
  return now;
}

/// Makes the thread the fiber's, but for the program's TLS, the directory and the clock.
[[gnu::always_inline]] inline void take_out(const Fiber& fiber) {
  ++scheduler->stats.switches;
  fiber::restore(fiber.thread);
  fiber::thread_block.heap = fiber.active_heap;
  // The rank and the context were written apart: one load of both would stall until the stores have left.
  Rank* rank = fiber.rank;
  asm("" : "+r"(rank));
  fiber::thread_block.rank = rank;
  fiber::thread_block.fiber = const_cast<Fiber*>(&fiber);
  fiber::thread_block.calls_until_look = fiber.calls_between_looks;
}
/// Runs the fiber from `now` on: reading the clock is a quarter of a switch, so one reading ends one rank's
/// time and begins the next one's.
[[gnu::always_inline]] inline void run(const Fiber& fiber, std::uint64_t now) {
  take_out(fiber);
  fiber.rank->meter.resumed_at = now;
  scheduler->resumed_at = now;
}
[[gnu::always_inline]] inline void enter(const Fiber& fiber, std::uint64_t now) {
  const Rank& rank = *fiber.rank;
  load::begin_keeping_processor();
  if (!rank.directory.is(process_directories.in_force)) [[unlikely]]
    use_directory(rank);
  if (scheduler->tls_bytes) memcpy(tls_of_program(), rank.tls_copy, scheduler->tls_bytes);
  run(fiber, now);
}

/// Prefetches for the fiber after the next, and the first line of the one behind that: ranks take turns, and
/// each has the first-level cache for itself meanwhile. `looks`: prefetches the rank's meter, too.
template <bool looks = true>
inline void fetch(const Fiber* after_next) {
  if (!after_next || !after_next->next_ready) return;  // with few fibers the caches still have all
  const auto* const stack = static_cast<const std::byte*>(after_next->context);
  __builtin_prefetch(stack, 1);
  __builtin_prefetch(stack + 64, 1);
  __builtin_prefetch(stack + 128, 1);
  const auto* const control = reinterpret_cast<const std::byte*>(after_next);
  __builtin_prefetch(control + 64, 1);
  if (looks) __builtin_prefetch(control + 128, 1);
  __builtin_prefetch(after_next->next_ready, 1);
}

inline void switch_to_pe(fiber::Context& left) {
  set_pointer_guard(scheduler->pe_pointer_guard);
  fiber::restore(scheduler->pe_thread);
  fiber::switch_context(left, scheduler->pe_context);
}

/// Makes the fibers ready that sleep until `now` or earlier.
void wake_next_sleepers(std::uint64_t now);
inline void wake_sleepers(std::uint64_t now) {
  if (scheduler->sleepers.next() <= now) [[unlikely]]
    wake_next_sleepers(now);
}

/// Returns true if the calling fiber can give way to another one without a look at the clock, or at anything
/// else.
[[gnu::always_inline]] inline bool needs_no_look() {
  return scheduler->queue.head && scheduler->looks.not_now();
}
/// Switches to the next fiber when needs_no_look().
[[gnu::always_inline]] inline void hand_over(Fiber& self) {
  const Fiber& next = *scheduler->queue.pop();
  fetch<false>(scheduler->queue.head);
  fiber::save(self.thread);
  self.active_heap = fiber::thread_block.heap;
  take_out(next);
  fiber::switch_context(self.context, next.context);
}

/// Returns true if the calling fiber can give way to another one with nothing else to do in between: most
/// can.
[[gnu::always_inline]] inline bool goes_straight(std::uint64_t now) {
  const Fiber* const next = scheduler->queue.head;
  return next && now < scheduler->poll_due && now < scheduler->sleepers.next() && !upcalls.rank_changes &&
         !scheduler->tls_bytes && next->rank->directory.is(process_directories.in_force);
}
/// Does leave(), give_way() and enter() in one, after stop_clock(), if goes_straight(): state that leave()
/// would save and enter() restore is touched once.
[[gnu::always_inline]] inline void go_straight(Fiber& self, std::uint64_t now) {
  const Fiber& next = *scheduler->queue.pop();
  fetch(scheduler->queue.head);
  fiber::save(self.thread);
  self.active_heap = fiber::thread_block.heap;
  run(next, now);
  fiber::switch_context(self.context, next.context);
}

/// Gives way to the next ready fiber or to the PE, after leave(). `now`: the time.
[[gnu::always_inline]] inline void give_way(Fiber& self, std::uint64_t now) {
  wake_sleepers(now);
  if (scheduler->queue.head && now < scheduler->poll_due) {
    Fiber& next = *scheduler->queue.pop();
    if (upcalls.rank_changes) upcalls.rank_changes(self.rank, next.rank);
    fetch(scheduler->queue.head);
    enter(next, now);
    if (&next == &self) return;
    fiber::switch_context(self.context, next.context);
  } else {
    if (upcalls.rank_changes) upcalls.rank_changes(self.rank, nullptr);
    switch_to_pe(self.context);
  }
}

/// Polls on the stack of a fiber for which leave() was called.
inline void poll_on(const Fiber& fiber, void (*poll)()) {
  scheduler->polls = &fiber;
  poll();
  scheduler->polls = nullptr;
}
/// Polls on the stack of a fiber that is ready and about to go on.
inline void poll_while_ready(const Fiber& fiber) {
  scheduler->yielding = true;
  poll_on(fiber, upcalls.poll);
  scheduler->yielding = false;
}

}  // namespace skein::scheduling
