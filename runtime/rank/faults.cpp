// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/faults.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/arena/arena.hpp"
#include "runtime/base/backtrace.hpp"
#include "runtime/base/check.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/rank/rank.hpp"

namespace skein {
namespace {

// A rank that overflowed its stack has none left to run a handler on.
alignas(64) std::byte handler_stack[256 * 1024];

const char* describe(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGILL:
      return "illegal instruction";
    case SIGFPE:
      return "arithmetic exception";
    default:
      return "signal";
  }
}

void on_fault(int signal, siginfo_t* info, void*) {
  // A second fault in here must end the process.
  ::signal(signal, SIG_DFL);
  Rank* const rank = current_rank();
  fiber::thread_block.heap = nullptr;
  if (!rank) {
    char text[128];
    const int length = snprintf(text, sizeof text, "skein: %s at address %p outside any rank\n",
                                describe(signal), info->si_addr);
    (void)!write(STDERR_FILENO, text, static_cast<std::size_t>(length));
    print_backtrace();
    raise(signal);
    return;
  }
  if (arena::in_guard(info->si_addr)) {
    end_job(*rank, 128 + signal, "its stack of %zu KiB overflowed; give it more with --stack-size",
            arena::layout.stack_bytes / 1024);
  }
  // Not a fault of the program then: si_addr means nothing.
  if (info->si_code <= 0)
    end_job(*rank, 128 + signal, "%s, sent by process %d", describe(signal), static_cast<int>(info->si_pid));
  end_job(*rank, 128 + signal, "%s at address %p", describe(signal), info->si_addr);
}

}  // namespace

void watch_for_faults() {
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  SKEIN_CHECK(sigaltstack(&stack, nullptr) == 0, "sigaltstack failed");
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) sigaction(signal, &action, nullptr);
}

}  // namespace skein
