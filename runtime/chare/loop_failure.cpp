// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/loop.hpp"

#include <signal.h>

#include <cstdio>
#include <span>
#include <string>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/fault_signals.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/chare/shared/parallel_loops.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/array_base.hpp"
#include "skein/chare/element_memory.hpp"
#include "skein/thread.hpp"

namespace skein::chare {
namespace {

/// Returns "Cell{1, 2, 3} in Cell::start", "a loop of ..." where this PE helps another, or nothing.
std::string who_runs() {
  if (helped_loop()) return helped_loop();
  if (!calls_here.running.element) return "";
  return name_of(*calls_here.running.element) +
         (calls_here.running.entry ? std::string(" in ") + calls_here.running.entry->name : "");
}

[[noreturn]] void end_with(int status, const std::string& message) {
  const std::string who = who_runs();
  fflush(stdout);
  log_line("skein: %s%s%s", who.c_str(), who.empty() ? "" : ": ", message.c_str());
  net::take_down(status);
}

/// Writes the text of who_runs(), in a handler of a fault.
void write_who_runs(std::span<char> out) {
  out[0] = '\0';
  if (helped_loop()) snprintf(out.data(), out.size(), "%s: ", helped_loop());
  if (helped_loop() || !calls_here.running.element) return;
  const ArrayBase& array = *calls_here.running.element->array;
  char index[128];
  array.write_text(array.index_of(*calls_here.running.element), index);
  snprintf(out.data(), out.size(), "%s%s%s%s: ", array.name().c_str(), index,
           calls_here.running.entry ? " in " : "",
           calls_here.running.entry ? calls_here.running.entry->name : "");
}

void report_fault(int signal, const siginfo_t& info, const ucontext_t&) {
  char who[256];
  write_who_runs(who);
  if (in_guard_of_thread(info.si_addr))
    return log_line(
        "skein: %sstack overflow of its thread: recursion that does not end, or raise --stack-size "
        "(--skein.stack-size)",
        who);
  if (signal == SIGABRT)
    return log_line("skein: %s%s: usually a line above says why", who, describe_fault(signal));
  if (const char* const fate = fate_of_object_at(info.si_addr))
    return log_line(
        "skein: %suses a pointer to %s: what local() gives holds until the element moves or ends, so ask for "
        "it again",
        who, fate);
  const char* const likely =
      signal == SIGSEGV ? " (or a stack overflow, by recursion that does not end)" : "";
  log_line("skein: %s%s%s at address %p", who, describe_fault(signal), likely, info.si_addr);
}

void say_last_words() {
  write_pending_output();
  net::say_goodbye();
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
  handle_faults(report_fault, say_last_words);
  keep_unfinished_lines();
}
void stop_watching_for_failures() { release_faults(); }

}  // namespace skein::chare
