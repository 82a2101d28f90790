// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/lock_wait.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace skein {
namespace {

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

/// "202 0x7f... 0x80 ...": the system call that it is in, and its arguments.
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

}  // namespace

bool LockWait::went_on() {
  const unsigned long before = std::exchange(slept_, waits_for_lock(thread_) ? times_slept(thread_) : 0);
  return slept_ != 0 && slept_ == before;
}

}  // namespace skein
