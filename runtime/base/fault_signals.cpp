// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/fault_signals.hpp"

#include <cstddef>
#include <initializer_list>

#include "runtime/base/check.hpp"

namespace skein {
namespace {

constexpr std::initializer_list<int> fault_signals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

alignas(64) std::byte handler_stack[256 * 1024];
void (*handle)(int, siginfo_t*) = nullptr;

void on_fault(int signal, siginfo_t* info, void*) {
  static int faults = 0;
  if (++faults > 1)
    for (const int each : fault_signals) ::signal(each, SIG_DFL);
  handle(signal, info);
}

}  // namespace

const char* describe_fault(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGILL:
      return "illegal instruction";
    case SIGFPE:
      return "arithmetic exception";
    case SIGABRT:
      return "aborted";
    default:
      return "signal";
  }
}

void handle_faults(void (*handler)(int signal, siginfo_t* info)) {
  handle = handler;
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  SKEIN_CHECK(sigaltstack(&stack, nullptr) == 0, "sigaltstack failed");
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : fault_signals) sigaction(signal, &action, nullptr);
}

}  // namespace skein
