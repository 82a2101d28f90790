// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/failure.hpp"

#include <signal.h>

#include <cstdio>
#include <string>

#include "runtime/base/check.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {
namespace {

/// A fault on an overflowed stack leaves none to run a handler on.
alignas(64) std::byte handler_stack[256 * 1024];

/// "Cell{1, 2, 3} in Cell::start", or nothing.
std::string who_runs() {
  if (!running.element) return "";
  return name_of(*running.element) + (running.entry ? std::string(" in ") + running.entry->name : "");
}

[[noreturn]] void end_with(int status, const std::string& message) {
  const std::string who = who_runs();
  fflush(stdout);
  log_line("skein: %s%s%s", who.c_str(), who.empty() ? "" : ": ", message.c_str());
  net::take_down(status);
}

const char* describe(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault (or a stack overflow, by recursion that does not end)";
    case SIGBUS:
      return "bus error";
    case SIGILL:
      return "illegal instruction";
    default:
      return "arithmetic exception";
  }
}

void on_fault(int signal, siginfo_t* info, void*) {
  ::signal(signal, SIG_DFL);  // a second fault in here ends the process
  char at[64];
  snprintf(at, sizeof at, " at address %p", info->si_addr);
  end_with(128 + signal, describe(signal) + std::string(at));
}

void place_of_log(char* out, unsigned long bytes) { snprintf(out, bytes, "[%d] ", net::world.pe); }

}  // namespace

void fail(const std::string& message) { end_with(1, message); }

std::string name_of(const Element& element) {
  return element.array->name() + element.array->text(element.array->index_of(element));
}

void watch_for_failures() {
  log_place = place_of_log;
  set_check_hooks({place_of_log, net::take_down});
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof handler_stack;
  SKEIN_CHECK(sigaltstack(&stack, nullptr) == 0, "sigaltstack failed");
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) sigaction(signal, &action, nullptr);
}

}  // namespace skein::chare
