// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/scheduler.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/fiber/context.hpp"
#include "runtime/rank/job_guards.hpp"
#include "runtime/rank/sleepers.hpp"

namespace skein {

PerRuntime<SchedulerStats> scheduler_stats;

namespace {

// A hundred switches and more, and a poll takes as long as a few: by the clock and not by their number, so
// that what has come waits no longer than one rank computes.
constexpr double between_polls_ns = 5000;
constexpr int polls_before_giving_up = 64;
// These take a quarter of a microsecond, which counts as no time where looks at the clock are shared.
constexpr int polls_at_once = 16;
// Calls that do not switch come each 50 ns or each millisecond: between two readings of the clock are as many
// as took a few microseconds before, or one. So are switches, where they may share readings; but they are
// few, for when ranks begin to compute that many do so before the clock is looked at, and the transport is.
constexpr double between_looks_ns = 2500;
constexpr std::uint32_t most_between_looks = 64;
constexpr std::uint32_t most_switches_between_looks = 4;

struct RunQueue {
  Fiber* head = nullptr;
  Fiber* tail = nullptr;

  void push(Fiber& fiber) {
    fiber.next_ready = nullptr;
    if (tail)
      tail->next_ready = &fiber;
    else
      head = &fiber;
    tail = &fiber;
  }
  Fiber* pop() {
    Fiber* fiber = head;
    head = fiber->next_ready;
    if (!head) tail = nullptr;
    return fiber;
  }
};

struct Scheduler {
  RunQueue queue;
  std::uint32_t switches_until_look = 1;  // at the clock
  std::uint32_t switches_between_looks = 1;
  std::uint32_t most_switches_between = 1;
  std::uint64_t resumed_at = 0;  // ticks() as last read where a fiber got the processor
  Sleepers sleepers;
  fiber::Context pe_context = nullptr;
  ThreadState pe_thread;
  std::size_t tls_bytes = 0;
  std::uint64_t poll_due = 0;    // ticks()
  bool yielding = false;         // a fiber that is about to be ready again polls
  std::uint64_t looked_at = 0;   // by poll_if_due(): ticks()
  const Fiber* polls = nullptr;  // on whose stack, while no fiber runs
};
PerRuntime<Scheduler> scheduler;

// Of the process's one thread, and of its clock.
unsigned long process_pointer_guard = 0;
std::uint64_t ticks_between_polls = 0;
std::uint64_t ticks_between_looks = 0;

unsigned long pointer_guard() {
  unsigned long value;
  asm volatile("mov %%fs:0x30, %0" : "=r"(value));
  return value;
}
void set_pointer_guard(unsigned long value) { asm volatile("mov %0, %%fs:0x30" ::"r"(value)); }

std::byte* tls_of_program() { return fiber::thread_pointer() - scheduler->tls_bytes; }

/// The switches since the last look at the clock took so long.
inline void adapt_switches(std::uint64_t took) {
  scheduler->switches_between_looks =
      took > ticks_between_looks
          ? 1
          : std::min(2 * scheduler->switches_between_looks, scheduler->most_switches_between);
}

/// Counts for the fiber's rank what it has used. Returns the time.
[[gnu::always_inline]] inline std::uint64_t stop_clock(const Fiber& fiber) {
  load::Meter& meter = fiber.rank->meter;
  const std::uint64_t now = ticks();
  // Who got the processor without a look at the clock is charged what came before as well.
  const std::uint64_t used = now - std::max(meter.resumed_at, scheduler->resumed_at);
  meter.busy_ticks += used;
  scheduler_stats->busy_ticks += used;
  if (scheduler->most_switches_between > 1) adapt_switches(used);
  scheduler->switches_until_look = scheduler->switches_between_looks;
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
  ++scheduler_stats->switches;
  fiber::restore(fiber.thread);
  fiber::thread_block.heap = fiber.active_heap;
  // Not in one load with what was written apart from it, the context: a processor waits until that has left.
  Rank* rank = fiber.rank;
  asm("" : "+r"(rank));
  fiber::thread_block.rank = rank;
  fiber::thread_block.fiber = const_cast<Fiber*>(&fiber);
  fiber::thread_block.calls_until_look = fiber.calls_between_looks;
}
/// The same, from `now` on: reading the clock is a quarter of a switch, so one reading ends one rank's time
/// and begins the next one's.
[[gnu::always_inline]] inline void run(const Fiber& fiber, std::uint64_t now) {
  take_out(fiber);
  fiber.rank->meter.resumed_at = now;
  scheduler->resumed_at = now;
}
[[gnu::always_inline]] inline void enter(const Fiber& fiber, std::uint64_t now) {
  const Rank& rank = *fiber.rank;
  if (!rank.directory.is(directory_in_force)) [[unlikely]]
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

void switch_to_pe(fiber::Context& left) {
  set_pointer_guard(process_pointer_guard);
  fiber::restore(scheduler->pe_thread);
  fiber::switch_context(left, scheduler->pe_context);
}

void start_fiber() {
  Fiber& fiber = *current_fiber();
  fiber.entry(fiber);
  SKEIN_CHECK(false, "a fiber of rank %d returned from its entry function", fiber.rank->id);
}

[[gnu::noinline]] void wake_next_sleepers(std::uint64_t now) {
  while (scheduler->sleepers.next() <= now) make_ready(scheduler->sleepers.pop());
}
inline void wake_sleepers(std::uint64_t now) {
  if (scheduler->sleepers.next() <= now) [[unlikely]]
    wake_next_sleepers(now);
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

/// Whether the calling fiber gives way to another one with no look at the clock, nor at anything else.
[[gnu::always_inline]] inline bool needs_no_look() {
  return scheduler->queue.head && --scheduler->switches_until_look > 0;
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
         !scheduler->tls_bytes && next->rank->directory.is(directory_in_force);
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
void poll_on(const Fiber& fiber, void (*poll)()) {
  scheduler->polls = &fiber;
  poll();
  scheduler->polls = nullptr;
}
/// The same of one that is about to go on.
void poll_while_ready(const Fiber& fiber) {
  scheduler->yielding = true;
  poll_on(fiber, upcalls.poll);
  scheduler->yielding = false;
}

/// The clock was read at `now`: how many calls of the fiber that runs it is until it is read again.
void adapt_looks(Fiber& fiber, std::uint64_t now) {
  const std::uint64_t took = now - std::max(scheduler->looked_at, scheduler->resumed_at);
  if (took > 2 * ticks_between_looks)
    fiber.calls_between_looks = 1;
  else if (took < ticks_between_looks)
    fiber.calls_between_looks = std::min(2 * fiber.calls_between_looks, most_between_looks);
  scheduler->looked_at = now;
  fiber::thread_block.calls_until_look = fiber.calls_between_looks;
}

}  // namespace

void use_process_guards() {
  if (process_pointer_guard) set_pointer_guard(process_pointer_guard);
}

ProcessGuardScope::ProcessGuardScope() : saved_(pointer_guard()) { use_process_guards(); }
ProcessGuardScope::~ProcessGuardScope() { set_pointer_guard(saved_); }

void prepare_fiber(Fiber& fiber, Rank& rank, std::byte* stack, std::size_t stack_bytes,
                   void (*entry)(Fiber&)) {
  fiber.rank = &rank;
  fiber.entry = entry;
  fiber.stack_begin = stack;
  fiber.stack_end = stack + stack_bytes;
  fiber.active_heap = &rank.heap;
  fiber.context = fiber::make_context(stack + stack_bytes, start_fiber);
}

void prepare_main_fiber(Rank& rank, void (*entry)(Fiber&)) {
  const auto slot = static_cast<std::size_t>(rank.id);
  std::byte* const stack = arena::stack_address(slot);
  prepare_fiber(rank.main, rank, stack, static_cast<std::size_t>(arena::control_address(slot) - stack),
                entry);
}

void set_program_tls_bytes(std::size_t bytes) {
  SKEIN_CHECK(bytes <= fiber::program_tls_room, "%zu bytes of thread-local storage", bytes);
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

bool looks_at_each_switch() { return scheduler->most_switches_between == 1; }

bool any_ready() { return scheduler->queue.head != nullptr || scheduler->yielding; }

namespace {

/// What has to be looked at is: the rest of block() and of yield(), apart, so that what comes before it needs
/// no registers of its caller's.
[[gnu::noinline]] void block_with_look(Fiber& self) {
  std::uint64_t now = stop_clock(self);
  if (goes_straight(now)) [[likely]]
    return go_straight(self, now);
  put_away(self);
  if (!scheduler->queue.head && upcalls.poll_one && self.state == FiberState::blocked) {
    int polls = 0;
    for (; polls < polls_before_giving_up && !scheduler->queue.head; ++polls) poll_on(self, upcalls.poll_one);
    if (polls > polls_at_once || looks_at_each_switch()) now = ticks();
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

void share_looks() {
  if (!upcalls.rank_changes && !scheduler->tls_bytes)
    scheduler->most_switches_between = most_switches_between_looks;
}

void look_at_each_switch() {
  scheduler->most_switches_between = scheduler->switches_between_looks = 1;
  if (const Fiber* const self = current_fiber())
    self->rank->meter.resumed_at = scheduler->resumed_at = stop_clock(*self);
}

std::uint64_t resumed_at() { return scheduler->resumed_at; }

void poll_if_due() {
  Fiber& self = *current_fiber();
  const std::uint64_t now = ticks();
  adapt_looks(self, now);
  if (now < scheduler->poll_due || !upcalls.poll) return;
  leave(self);
  poll_while_ready(self);
  const std::uint64_t end = ticks();
  scheduler->poll_due = end + ticks_between_polls;
  enter(self, end);
}

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
  if (!fiber::thread_state_place.error_number) {
    fiber::find_thread_state();
    process_pointer_guard = pointer_guard();
    ticks_between_polls = static_cast<std::uint64_t>(between_polls_ns / ns_per_tick());
    ticks_between_looks = static_cast<std::uint64_t>(between_looks_ns / ns_per_tick());
  }
  fiber::save(scheduler->pe_thread);
  set_pointer_guard(job_guards.pointer);
  Fiber& next = *scheduler->queue.pop();
  if (upcalls.rank_changes) upcalls.rank_changes(nullptr, next.rank);
  const std::uint64_t now = ticks();
  scheduler->poll_due = now + ticks_between_polls;
  enter(next, now);
  fiber::switch_context(scheduler->pe_context, next.context);
  return true;
}

}  // namespace skein
