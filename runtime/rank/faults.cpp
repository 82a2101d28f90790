// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/faults.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/arena/arena.hpp"
#include "runtime/base/backtrace.hpp"
#include "runtime/base/fault_signals.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/rank/side_stacks.hpp"

namespace skein {
namespace {

void on_fault(int signal, siginfo_t* info) {
  Rank* const rank = current_rank();
  fiber::thread_block.heap = nullptr;
  if (!rank) {
    char text[128];
    const int length = snprintf(text, sizeof text, "skein: %s at address %p outside any rank\n",
                                describe_fault(signal), info->si_addr);
    (void)!write(STDERR_FILENO, text, static_cast<std::size_t>(length));
    print_backtrace();
    raise(signal);
    return;
  }
  if (arena::in_guard(info->si_addr)) {
    end_job(*rank, 128 + signal, "its stack of %zu KiB overflowed; give it more with --stack-size",
            arena::layout.stack_bytes / 1024);
  }
  if (in_side_guard(*rank, info->si_addr)) {
    end_job(
        *rank, 128 + signal,
        "the stack of %zu KiB of a nonblocking collective overflowed; it is a part in 1024 of the slot, at "
        "most the rank's: give it more with --slot-size or --stack-size",
        side_stack_bytes() / 1024);
  }
  if (signal == SIGABRT && info->si_pid == getpid())
    end_job(*rank, 128 + signal, "%s: mostly a line above says why", describe_fault(signal));
  // Not a fault of the program then: si_addr means nothing.
  if (info->si_code <= 0)
    end_job(*rank, 128 + signal, "%s, sent by process %d", describe_fault(signal),
            static_cast<int>(info->si_pid));
  end_job(*rank, 128 + signal, "%s at address %p", describe_fault(signal), info->si_addr);
}

}  // namespace

void watch_for_faults() { handle_faults(on_fault); }

}  // namespace skein
