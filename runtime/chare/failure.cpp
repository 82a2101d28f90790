// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/failure.hpp"

#include <signal.h>

#include <cstdio>
#include <string>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/fault_signals.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/chare/threads.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {
namespace {

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

void on_fault(int signal, siginfo_t* info) {
  if (in_guard_of_thread(info->si_addr))
    end_with(128 + signal,
             "stack overflow of its thread: recursion that does not end, or raise --stack-size "
             "(--skein.stack-size)");
  if (signal == SIGABRT)
    end_with(128 + signal, format("%s: mostly a line above says why", describe_fault(signal)));
  const char* const likely =
      signal == SIGSEGV ? " (or a stack overflow, by recursion that does not end)" : "";
  end_with(128 + signal, format("%s%s at address %p", describe_fault(signal), likely, info->si_addr));
}

}  // namespace

void fail(const std::string& message) { end_with(1, message); }

void fail_by_exception(const std::string& where) {
  const std::string before = where.empty() ? "" : where + ": ";
  try {
    throw;
  } catch (const std::exception& error) {
    fail(before + "an exception ended it: " + error.what());
  } catch (...) {
    fail(before + "an exception ended it that is no std::exception");
  }
}

std::string name_of(const Element& element) {
  return element.array->name() + element.array->text(element.array->index_of(element));
}

void watch_for_failures() {
  handle_faults(on_fault);
  keep_unfinished_lines();
}

}  // namespace skein::chare
