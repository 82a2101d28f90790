// SPDX-License-Identifier: Apache-2.0
// Runs the ranks of this PE, one at a time, each until it blocks. Switching is cooperative and goes straight
// from rank to rank; the PE's own stack (the loop that polls the transport) runs when no rank is ready and
// every few microseconds.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/rank/rank.hpp"

namespace skein {

/// Prepares a fiber to start in `entry` on the given stack, with the rank's heap in force. Does not make it
/// ready. `entry` never returns: it ends in finish_fiber().
void prepare_fiber(Fiber& fiber, Rank& rank, std::byte* stack, std::size_t stack_bytes,
                   void (*entry)(Fiber&));
/// Prepares the rank's main fiber, on the slot's stack.
void prepare_main_fiber(Rank& rank, void (*entry)(Fiber&));

/// Sets how many bytes of the program's TLS every switch copies (0: none). Once, before any rank runs.
void set_program_tls_bytes(std::size_t bytes);
std::size_t program_tls_bytes();

/// Appends to the run queue. Callable from anywhere on the PE; the rank must be local and not be ready
/// already.
void make_ready(Fiber& fiber);

/// Makes fibers ready, in their order, except the running one.
void make_others_ready(std::span<Fiber* const> fibers);

/// Returns the fiber on whose stack the PE's thread is, running or polling, or null: for reports of faults.
const Fiber* fiber_of_stack();

/// Gives the calling fiber's processor away until make_ready(). The rank may be on another PE when this
/// returns: nothing PE-local survives the call.
void block(WaitReason reason, FiberState state = FiberState::blocked);

/// Lets every other ready fiber of this PE run before the calling one, and the transport be polled.
void yield();

/// Lets switches share looks at the clock, in a job where nobody wants to know what each rank takes and no
/// rank moves: while fibers switch within nanoseconds, up to four switches have one look, which charges the
/// whole time to the last of their ranks. What is due at a time may come as much later. Called before any
/// rank runs.
void share_looks();
/// Undoes share_looks(), for good: each switch looks at the clock and at what differs between ranks.
void look_at_each_switch();
bool looks_at_each_switch();

/// Returns ticks() as last read when a fiber got the processor: the running one, if each switch has a look.
std::uint64_t resumed_at();

void poll_if_due();
/// Polls if the last look for messages was 5 us ago; called from a fiber, in a call that could have waited
/// and did not, for PEs and ranks that nobody else serves while this fiber goes on and on. No other fiber
/// runs; never switches. Returns true if it read the clock, which not each call does.
inline bool poll_in_passing() {
  if (--fiber::thread_block.calls_until_look > 0) [[likely]]
    return false;
  poll_if_due();
  return true;
}

/// Gives the calling fiber's processor away for `ns` nanoseconds; it comes back when they are over and the
/// fiber that then runs gives way. The time counts as no load of the rank, which does not move. While no
/// fiber is ready, the PE serves messages from here, on the fiber's own stack, so that a debugger shows the
/// waiting fiber. The processor's counter measures the time: a caller that must not be early looks at a clock
/// again.
void sleep_for(std::uint64_t ns);

/// Returns true if a fiber of this PE sleeps: it will go on without a message.
bool any_asleep();
/// Returns true if a sleeping fiber is to wake within `ns` nanoseconds.
bool wakes_within(std::uint64_t ns);

/// Ends the calling fiber. Its stack is free to use again once another fiber runs.
[[noreturn]] void finish_fiber();

/// Marks the rank done and ends its main fiber, which calls this. Its slot stays until the job ends.
[[noreturn]] void finish_rank();

/// Runs ready fibers, from the PE's own stack, until none is ready, or until one gives way 5 us or more after
/// this began, when a poll is due. Returns true if any ran.
bool run_ready();

/// Returns true if a fiber of this PE can go on: it is ready, or gives way in yield(), which polls before the
/// fiber is ready.
bool any_ready();

struct SchedulerStats {
  std::uint64_t switches = 0;    ///< times a rank got the processor
  std::uint64_t busy_ticks = 0;  ///< of all ranks while they were here
};
const SchedulerStats& scheduler_stats();

}  // namespace skein
