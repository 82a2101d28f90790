// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/end_job.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runtime/base/backtrace.hpp"
#include "runtime/base/fault_signals.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/rank/process_guard.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/trace/recording.hpp"

namespace skein {
namespace {

constexpr int kAbortStatus = 128 + SIGABRT;

/// Messages that a job prints once.
struct Said {
  int status_of_end = 0;  // not 0: end_job() has begun
  std::vector<const char*> warnings;
};
PerRuntime<Said> said;

/// Returns a status that a parent process, which sees one byte of it, does not take for success.
int failure_status(int status) { return (status & 0xff) == 0 ? 1 : status; }

[[noreturn]] void finish(int status) {
  use_process_guards();
  fflush(nullptr);
  trace::write_all();
  if (status == kAbortStatus && dumps_core()) {
    if (upcalls.say_goodbye) upcalls.say_goodbye();
    end_by_signal(SIGABRT);
  }
  if (upcalls.take_down) upcalls.take_down(status);
  _exit(status);
}

void print(const Rank& rank, const char* format, va_list args) {
  char message[1024];
  vsnprintf(message, sizeof message, format, args);
  char text[1200];
  const int length = snprintf(text, sizeof text, "skein: rank %d on PE %d: %s\n", rank.id, own_pe, message);
  (void)!write(STDERR_FILENO, text, static_cast<size_t>(length));
}

}  // namespace

void say_of(const Rank& rank, const char* format, ...) {
  va_list args;
  va_start(args, format);
  print(rank, format, args);
  va_end(args);
}

void warn_once(const char* format, ...) {
  fiber::RuntimeScope runtime;
  if (std::ranges::find(said->warnings, format) != said->warnings.end()) return;
  said->warnings.push_back(format);
  char message[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  SKEIN_WARN("%s", message);
}

void say_last_words() {
  write_pending_output();
  if (upcalls.say_goodbye) upcalls.say_goodbye();
}

void end_job(const Rank& rank, int status, const char* format, ...) {
  fiber::RuntimeScope runtime;
  // Looking for callers on an overwritten stack may fault, and lead here again.
  if (said->status_of_end) finish(said->status_of_end);
  said->status_of_end = failure_status(status);
  va_list args;
  va_start(args, format);
  print(rank, format, args);
  va_end(args);
  print_backtrace(Frames::of_program);
  finish(said->status_of_end);
}

void end_job_plainly(const Rank& rank, int status, const char* format, ...) {
  fiber::RuntimeScope runtime;
  va_list args;
  va_start(args, format);
  print(rank, format, args);
  va_end(args);
  finish(failure_status(status));
}

}  // namespace skein
