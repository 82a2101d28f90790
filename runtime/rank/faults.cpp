// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/end_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "runtime/arena/arena.hpp"
#include "runtime/base/backtrace.hpp"
#include "runtime/base/fault_signals.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/rank/side_stacks.hpp"

namespace skein {
namespace {

std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// The bytes below its stack pointer that a function may use that calls no other (x86-64's ABI), where a call
/// pushes its return address, too.
constexpr std::uintptr_t kRedZoneBytes = 128;

/// Returns true if the used stack reaches below its begin, into the guard or beyond: a frame may be larger
/// than the guard. A stack pointer farther away is on a stack that the program has made. An access to the
/// guard from elsewhere is a wild one.
bool overflows(const Fiber& fiber, const ucontext_t& interrupted) {
  const auto used_from = static_cast<std::uintptr_t>(interrupted.uc_mcontext.gregs[REG_RSP]) - kRedZoneBytes;
  return fiber.stack_begin && used_from < address_of(fiber.stack_begin) &&
         address_of(fiber.stack_begin) - used_from < arena::reserved.layout.slot_bytes;
}

void say_why(const Fiber& fiber, int signal, const siginfo_t& info, const ucontext_t& interrupted) {
  const Rank& rank = *fiber.rank;
  const bool by_address = info.si_code > 0 && (signal == SIGSEGV || signal == SIGBUS);
  const bool by_stack = by_address && overflows(fiber, interrupted);
  if (by_stack && &fiber != &rank.main)
    return say_of(rank,
                  "the stack of %zu KiB of a nonblocking collective overflowed; it is a part in 1024 of the "
                  "slot, at most the rank's: give it more with --slot-size or --stack-size",
                  side_stack_bytes() / 1024);
  if (by_stack)
    return say_of(rank, "its stack of %zu KiB overflowed; give it more with --stack-size",
                  arena::reserved.layout.stack_bytes / 1024);
  if (signal == SIGABRT && info.si_pid == getpid())
    return say_of(rank, "%s: usually a line above says why", describe_fault(signal));
  // Not a fault of the program: si_addr means nothing.
  if (info.si_code <= 0)
    return say_of(rank, "%s, sent by process %d", describe_fault(signal), static_cast<int>(info.si_pid));
  say_of(rank, "%s at address %p", describe_fault(signal), info.si_addr);
}

void report(int signal, const siginfo_t& info, const ucontext_t& interrupted) {
  const Fiber* const fiber = fiber_of_stack();
  fiber::thread_block.heap = nullptr;
  if (fiber) {
    say_why(*fiber, signal, info, interrupted);
  } else {
    char text[128];
    const int length = snprintf(text, sizeof text, "skein: %s at address %p outside any rank\n",
                                describe_fault(signal), info.si_addr);
    (void)!write(STDERR_FILENO, text, static_cast<std::size_t>(length));
  }
  print_backtrace_of(interrupted, fiber ? Frames::of_program : Frames::all);
}

/// Includes in the core dump what the failed rank has touched: the arena as a whole is as large as addresses
/// go.
void prepare_core_dump() {
  const Fiber* const fiber = fiber_of_stack();
  if (!fiber) return;
  const Rank* const rank = fiber->rank;
  std::byte* const begin = arena::stack_address(static_cast<std::size_t>(rank->id));
  std::byte* const end = arena::slot_address(static_cast<std::size_t>(rank->id) + 1);
  std::byte* const top = std::clamp(rank->heap.top(), begin, end);
  arena::include_in_core_dumps({begin, static_cast<std::size_t>(top - begin)});
}

}  // namespace

void watch_for_faults() {
  prepare_backtraces();
  set_core_preparation(prepare_core_dump);
  handle_faults(report, say_last_words);
}

}  // namespace skein
