// SPDX-License-Identifier: Apache-2.0
// What a switch from fiber to fiber, or between fibers and the PE, puts away and takes out: the inside of the
// scheduler (scheduler.cpp), and of this folder alone. Inlined, as each of it is a few instructions of one of
// the hottest ways.
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

/// What a PE's scheduler keeps.
struct Scheduler {
  RunQueue queue;
  SwitchLooks looks;
  std::uint64_t resumed_at = 0;  // ticks() as last read where a fiber got the processor
  SchedulerStats stats;
  Sleepers sleepers;
  fiber::Context pe_context = nullptr;
  ThreadState pe_thread;
  std::size_t tls_bytes = 0;
  std::uint64_t poll_due = 0;    // ticks()
  bool yielding = false;         // a fiber that is about to be ready again polls
  std::uint64_t looked_at = 0;   // by poll_if_due(): ticks()
  const Fiber* polls = nullptr;  // on whose stack, while no fiber runs
  // Of the process; 0 before the first switch.
  unsigned long pe_pointer_guard = 0;
  std::uint64_t ticks_between_polls = 0;  // kBetweenPollsNs
};
extern PerRuntime<Scheduler> scheduler;

/// A hundred switches and more, and a poll takes as long as a few: by the clock and not by their number, so
/// that what has come waits no longer than one rank computes.
inline constexpr double kBetweenPollsNs = 5000;

inline std::byte* tls_of_program() { return fiber::thread_pointer() - scheduler->tls_bytes; }

/// Counts for the fiber's rank what it has used. Returns the time.
[[gnu::always_inline]] inline std::uint64_t stop_clock(const Fiber& fiber) {
  load::Meter& meter = fiber.rank->meter;
  const std::uint64_t now = ticks();
  // Who got the processor without a look at the clock is charged what came before as well.
  const std::uint64_t used = now - std::max(meter.resumed_at, scheduler->resumed_at);
  meter.busy_ticks += used;
  load::note_lost_ticks(meter, used);
  scheduler->stats.busy_ticks += used;
  scheduler->looks.was_had(used);
  return now;
}

/// From here on the thread's state is nobody's until enter().
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

/// The thread is the fiber's from here on, but for the program's TLS, the directory and the clock.
[[gnu::always_inline]] inline void take_out(const Fiber& fiber) {
  ++scheduler->stats.switches;
  fiber::restore(fiber.thread);
  fiber::thread_block.heap = fiber.active_heap;
  // Not in one load with what was written apart from it, the context: a processor waits until that has left.
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

/// Ranks take turns, and have the first-level cache for themselves meanwhile: what the one after the next
/// goes on with is fetched while the next one runs, and for that the first line of the one behind it.
/// `looks`: at the rank's meter, too.
template <bool looks = true>
inline void fetch(const Fiber* after_next) {
  if (!after_next || !after_next->next_ready) return;  // of a few, each has what it needs
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

/// Makes those ready that sleep no longer than to `now`.
void wake_next_sleepers(std::uint64_t now);
inline void wake_sleepers(std::uint64_t now) {
  if (scheduler->sleepers.next() <= now) [[unlikely]]
    wake_next_sleepers(now);
}

/// Whether the calling fiber gives way to another one with no look at the clock, nor at anything else.
[[gnu::always_inline]] inline bool needs_no_look() {
  return scheduler->queue.head && scheduler->looks.not_now();
}
/// What such a fiber does.
[[gnu::always_inline]] inline void hand_over(Fiber& self) {
  const Fiber& next = *scheduler->queue.pop();
  fetch<false>(scheduler->queue.head);
  fiber::save(self.thread);
  self.active_heap = fiber::thread_block.heap;
  take_out(next);
  fiber::switch_context(self.context, next.context);
}

/// Whether the calling fiber gives way to another one with nothing else to do in between: most do.
[[gnu::always_inline]] inline bool goes_straight(std::uint64_t now) {
  const Fiber* const next = scheduler->queue.head;
  return next && now < scheduler->poll_due && now < scheduler->sleepers.next() && !upcalls.rank_changes &&
         !scheduler->tls_bytes && next->rank->directory.is(process_directories.in_force);
}
/// leave(), give_way() and enter() in one, after stop_clock(), and where it goes_straight(): what the one
/// puts away and the other takes out is touched once.
[[gnu::always_inline]] inline void go_straight(Fiber& self, std::uint64_t now) {
  const Fiber& next = *scheduler->queue.pop();
  fetch(scheduler->queue.head);
  fiber::save(self.thread);
  self.active_heap = fiber::thread_block.heap;
  run(next, now);
  fiber::switch_context(self.context, next.context);
}

/// The calling fiber, which leave() has already been called for, gives way to the next ready one or to the
/// PE. `now`: the time.
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

/// On the stack of a fiber that leave() was called for.
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
