// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/fault_signals.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "runtime/base/backtrace.hpp"
#include "runtime/base/check.hpp"

namespace skein {
namespace {

constexpr std::initializer_list<int> kFaultSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr timeval kPatience{.tv_sec = 1, .tv_usec = 500'000};
constexpr timespec kBetweenLooks{.tv_sec = 0, .tv_nsec = 250'000'000};

struct FaultHandling {
  alignas(64) std::byte handler_stack[256 * 1024];
  FaultHandler report = nullptr;
  void (*say_last_words)() = nullptr;
  void (*prepare_core)() = nullptr;
  /// The thread whose faults end nothing else (FaultsAlone). No thread-local data: ranks have theirs there.
  std::atomic<pid_t> alone_thread = 0;
  FaultsAlone alone_now{};
  int first_signal = 0;
  const void* first_address = nullptr;
  char first_text[256] = "";
  stack_t stack_before{};
  struct sigaction actions_before[kFaultSignals.size()] = {};
  bool handled = false;
  volatile sig_atomic_t count = 0;
};
FaultHandling fault_handling;

void end_what_hangs(int) {
  static const char text[] = "skein: the report of a fault did not come to an end\n";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  _exit(128 + fault_handling.first_signal);
}

void set_watchdog(const timeval& time) {
  struct sigaction action {};
  action.sa_handler = end_what_hangs;
  sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  const itimerval timer{{0, 0}, time};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

/// Says that the report failed, after it may have printed something, or nothing: its data may be overwritten.
void say_that_report_failed() {
  char text[160];
  const int length =
      snprintf(text, sizeof text, "skein: %s at address %p; its report came to no end, by another fault\n",
               describe_fault(fault_handling.first_signal), fault_handling.first_address);
  (void)!write(STDERR_FILENO, text, static_cast<std::size_t>(length));
}

void take_default_actions() {
  for (const int each : kFaultSignals) ::signal(each, SIG_DFL);
}

/// The start of a file about the thread, as text; empty if there is none.
struct About {
  About(pid_t thread, const char* file) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/%s", static_cast<int>(thread), file);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    const ssize_t got = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    text[got > 0 ? got : 0] = '\0';
  }
  char text[4096] = "";
};

/// Returns true if the file's text, "202 0x7f... 0x80 ...", the system call that the thread is in and its
/// arguments, tells of a wait for a lock.
bool waits_for_lock(pid_t thread) {
  const About call(thread, "syscall");
  char* next = nullptr;
  if (strtol(call.text, &next, 10) != SYS_futex || next == call.text) return false;
  strtoul(next, &next, 16);
  const unsigned long operation = strtoul(next, nullptr, 16), command = operation & FUTEX_CMD_MASK;
  return (operation & FUTEX_PRIVATE_FLAG) && (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET);
}

unsigned long times_slept(pid_t thread) {
  constexpr char name[] = "\nvoluntary_ctxt_switches:";
  const About status(thread, "status");
  const char* const line = strstr(status.text, name);
  return line ? strtoul(line + sizeof name - 1, nullptr, 10) : 0;
}

/// Finds out whether a thread waits for a lock that nobody gives back, by what the system says of threads
/// (/proc/self/task). Callable from handlers.
class LockWait {
 public:
  /// Watches a thread of this process.
  explicit LockWait(pid_t thread) : thread_(thread) {}
  /// Returns true if, since the last look, the thread has waited without waking for a futex that the threads
  /// of one process share: for a lock, then. Returns false at the first look, and if the system does not say.
  bool went_on();

 private:
  pid_t thread_;
  unsigned long slept_ = 0;  // how often it slept, while it waits for a lock
};

bool LockWait::went_on() {
  const unsigned long before = std::exchange(slept_, waits_for_lock(thread_) ? times_slept(thread_) : 0);
  return slept_ != 0 && slept_ == before;
}

[[noreturn]] void stand_still(int signal) {
  fault_handling.alone_now.signal->store(signal, std::memory_order_release);
  const double looks = fault_handling.alone_now.patience_s * 1e9 / kBetweenLooks.tv_nsec;
  LockWait lock(fault_handling.alone_now.beside);
  for (int waited = 0; waited < looks; waited = lock.went_on() ? waited + 1 : 0)
    nanosleep(&kBetweenLooks, nullptr);
  char text[200];
  const int length =
      snprintf(text, sizeof text,
               "skein: a thread that stands still by a fault (%s) holds a lock that its process waits for, "
               "the allocator's as a rule: the process ends\n",
               describe_fault(signal));
  (void)!write(STDERR_FILENO, text, static_cast<std::size_t>(length));
  end_by_signal(signal);
}

void note_place(const ucontext_t& interrupted) {
  const int length = snprintf(fault_handling.first_text, sizeof fault_handling.first_text, "%s at ",
                              describe_fault(fault_handling.first_signal));
  describe_place(interrupted, fault_handling.first_text + length,
                 sizeof fault_handling.first_text - static_cast<std::size_t>(length));
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (gettid() == fault_handling.alone_thread.load(std::memory_order_relaxed)) stand_still(signal);
  const int faults = fault_handling.count + 1;
  fault_handling.count = faults;
  if (faults == 1) {
    fault_handling.first_signal = signal;
    fault_handling.first_address = info->si_addr;
    set_watchdog(kPatience);
    const auto& interrupted = *static_cast<const ucontext_t*>(context);
    fault_handling.report(signal, *info, interrupted);
    note_place(interrupted);
  }
  if (faults == 2) say_that_report_failed();
  if (faults <= 2) fault_handling.say_last_words();
  // A fault of an instruction comes again when it is repeated: then the core dump shows the thread there.
  if (faults == 1 && info->si_code > 0 && dumps_core()) {
    if (fault_handling.prepare_core) fault_handling.prepare_core();
    set_watchdog({0, 0});
    take_default_actions();
    return;
  }
  end_by_signal(fault_handling.first_signal);
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

bool is_fault_signal(int signal) {
  return std::find(kFaultSignals.begin(), kFaultSignals.end(), signal) != kFaultSignals.end();
}

void handle_faults(FaultHandler the_report, void (*last_words)()) {
  fault_handling.report = the_report;
  fault_handling.say_last_words = last_words;
  stack_t stack{};
  stack.ss_sp = fault_handling.handler_stack;
  stack.ss_size = sizeof fault_handling.handler_stack;
  SKEIN_CHECK(sigaltstack(&stack, &fault_handling.stack_before) == 0, "sigaltstack failed");
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  fault_handling.handled = true;
  struct sigaction* before = fault_handling.actions_before;
  for (const int signal : kFaultSignals) sigaction(signal, &action, before++);
}

const char* fault_of_process() { return fault_handling.first_text; }

void release_faults() {
  if (!fault_handling.handled) return;
  fault_handling.handled = false;
  const struct sigaction* before = fault_handling.actions_before;
  for (const int signal : kFaultSignals) sigaction(signal, before++, nullptr);
  sigaltstack(&fault_handling.stack_before, nullptr);
}

void keep_faults_to_this_thread(const FaultsAlone* alone) {
  stack_t stack{};
  if (alone) {
    stack.ss_sp = alone->stack;
    stack.ss_size = alone->stack_bytes;
  } else {
    stack.ss_flags = SS_DISABLE;
  }
  SKEIN_CHECK(sigaltstack(&stack, nullptr) == 0, "sigaltstack failed");
  fault_handling.alone_now = alone ? *alone : FaultsAlone{};
  fault_handling.alone_thread.store(alone ? gettid() : 0, std::memory_order_relaxed);
  sigset_t faults;
  sigemptyset(&faults);
  for (const int each : kFaultSignals) sigaddset(&faults, each);
  pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
}

void set_core_preparation(void (*prepare_core_dump)()) { fault_handling.prepare_core = prepare_core_dump; }

bool dumps_core() {
  rlimit limit{};
  return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur != 0;
}

void end_by_signal(int signal) {
  if (is_fault_signal(signal) && dumps_core()) {
    if (fault_handling.prepare_core) fault_handling.prepare_core();
    set_watchdog({0, 0});
    take_default_actions();
    raise(signal);
  }
  _exit(128 + signal);
}

}  // namespace skein
