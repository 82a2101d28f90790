// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/scheduler.hpp"

#include "runtime/base/check.hpp"
#include "runtime/rank/job_guards.hpp"
#include "runtime/rank/switch.hpp"

namespace skein {

namespace scheduling {

PerRuntime<Scheduler> scheduler;

void wake_next_sleepers(std::uint64_t now) {
  while (scheduler->sleepers.next() <= now) make_ready(scheduler->sleepers.pop());
}

}  // namespace scheduling

using namespace scheduling;

const SchedulerStats& scheduler_stats() { return scheduler->stats; }

namespace {

constexpr int kPollsBeforeGivingUp = 64;
/// This many polls take a quarter of a microsecond, which counts as no time if looks at the clock are shared.
constexpr int kPollsAtOnce = 16;

void start_fiber() {
  Fiber& fiber = *current_fiber();
  fiber.entry(fiber);
  SKEIN_CHECK(false, "a fiber of rank %d returned from its entry function", fiber.rank->id);
}

/// Serves messages until a fiber is ready. Returns the time.
std::uint64_t wait_for_sleepers() {
  for (;;) {
    const std::uint64_t now = ticks();
    wake_sleepers(now);
    if (scheduler->queue.head) return now;
    upcalls.poll();
    if (!scheduler->queue.head) upcalls.wait();
  }
}

}  // namespace

void prepare_fiber(Fiber& fiber, Rank& rank, std::byte* stack, std::size_t stack_bytes,
                   void (*entry)(Fiber&)) {
  fiber.rank = &rank;
  fiber.entry = entry;
  fiber.stack_begin = stack;
  fiber.stack_end = stack + stack_bytes;
  fiber.active_heap = &rank.heap;
  fiber.context = fiber::make_context(fiber.stack_end, start_fiber);
  fiber.launcher_bytes =
      static_cast<std::uint16_t>(fiber.stack_end - static_cast<const std::byte*>(fiber.context));
}

void prepare_main_fiber(Rank& rank, void (*entry)(Fiber&)) {
  const auto slot = static_cast<std::size_t>(rank.id);
  std::byte* const stack = arena::stack_address(slot);
  prepare_fiber(rank.main, rank, stack, static_cast<std::size_t>(arena::control_address(slot) - stack),
                entry);
}

void set_program_tls_bytes(std::size_t bytes) {
  SKEIN_CHECK(bytes <= fiber::kProgramTlsRoom, "%zu bytes of thread-local storage", bytes);
  scheduler->tls_bytes = bytes;
}

std::size_t program_tls_bytes() { return scheduler->tls_bytes; }

void make_ready(Fiber& fiber) {
  SKEIN_DCHECK(fiber.state != FiberState::ready, "a fiber of rank %d is ready already", fiber.rank->id);
  fiber.state = FiberState::ready;
  scheduler->queue.push(fiber);
}

void make_others_ready(std::span<Fiber* const> fibers) {
  const Fiber* const self = current_fiber();
  RunQueue queue = scheduler->queue;
  for (Fiber* const fiber : fibers) {
    if (fiber == self) continue;
    SKEIN_DCHECK(fiber->state != FiberState::ready, "a fiber of rank %d is ready already", fiber->rank->id);
    fiber->state = FiberState::ready;
    queue.push(*fiber);
  }
  scheduler->queue = queue;
}

const Fiber* fiber_of_stack() { return current_fiber() ? current_fiber() : scheduler->polls; }

bool any_ready() { return scheduler->queue.head != nullptr || scheduler->yielding; }

namespace {

/// Blocks with a look at the clock: the rest of block(), apart, as that of yield(), so that the common path
/// before it saves no registers.
[[gnu::noinline]] void block_with_look(Fiber& self) {
  std::uint64_t now = stop_clock(self);
  if (goes_straight(now)) [[likely]]
    return go_straight(self, now);
  put_away(self);
  if (!scheduler->queue.head && upcalls.poll_one && self.state == FiberState::blocked) {
    int polls = 0;
    for (; polls < kPollsBeforeGivingUp && !scheduler->queue.head; ++polls) poll_on(self, upcalls.poll_one);
    if (polls > kPollsAtOnce || looks_at_each_switch()) now = ticks();
  }
  give_way(self, now);
}

[[gnu::noinline]] void yield_with_look(Fiber& self) {
  std::uint64_t now = stop_clock(self);
  if (goes_straight(now)) [[likely]] {
    scheduler->queue.push(self);
    return go_straight(self, now);
  }
  put_away(self);
  if (!scheduler->queue.head && upcalls.poll) {
    poll_while_ready(self);
    now = ticks();
  }
  scheduler->queue.push(self);
  give_way(self, now);
}

}  // namespace

void block(WaitReason reason, FiberState state) {
  Fiber& self = *current_fiber();
  self.state = state;
  self.waits_for = reason;
  if (needs_no_look()) [[likely]]
    return hand_over(self);
  block_with_look(self);
}

void yield() {
  Fiber& self = *current_fiber();
  if (needs_no_look()) [[likely]] {
    scheduler->queue.push(self);
    return hand_over(self);
  }
  yield_with_look(self);
}

std::uint64_t resumed_at() { return scheduler->resumed_at; }

void sleep_for(std::uint64_t ns) {
  Fiber& self = *current_fiber();
  self.state = FiberState::blocked;
  self.waits_for = {"asleep", {}};
  std::uint64_t now = leave(self);
  scheduler->sleepers.add(self, now + static_cast<std::uint64_t>(static_cast<double>(ns) / ns_per_tick()));
  if (!scheduler->queue.head && upcalls.poll && upcalls.wait) now = wait_for_sleepers();
  give_way(self, now);
}

bool any_asleep() { return scheduler->sleepers.any(); }
bool wakes_within(std::uint64_t ns) {
  return scheduler->sleepers.any() &&
         scheduler->sleepers.next() <
             ticks() + static_cast<std::uint64_t>(static_cast<double>(ns) / ns_per_tick());
}

void finish_fiber() {
  Fiber& self = *current_fiber();
  self.state = FiberState::idle;
  give_way(self, leave(self));
  SKEIN_CHECK(false, "a fiber of rank %d was resumed after its end", self.rank->id);
  __builtin_unreachable();
}

void finish_rank() {
  current_rank()->done = true;
  finish_fiber();
}

bool run_ready() {
  if (scheduler->sleepers.any()) wake_sleepers(ticks());
  if (!scheduler->queue.head) return false;
  if (scheduler->ticks_between_polls == 0) {
    fiber::find_thread_state();
    scheduler->pe_pointer_guard = pointer_guard();
    scheduler->ticks_between_polls = static_cast<std::uint64_t>(kBetweenPollsNs / ns_per_tick());
    scheduler->looks.ticks_between = static_cast<std::uint64_t>(kBetweenLooksNs / ns_per_tick());
  }
  fiber::save(scheduler->pe_thread);
  set_pointer_guard(job_guards.pointer);
  Fiber& next = *scheduler->queue.pop();
  if (upcalls.rank_changes) upcalls.rank_changes(nullptr, next.rank);
  const std::uint64_t now = ticks();
  scheduler->poll_due = now + scheduler->ticks_between_polls;
  enter(next, now);
  fiber::switch_context(scheduler->pe_context, next.context);
  return true;
}

}  // namespace skein
