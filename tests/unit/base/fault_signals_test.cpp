// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/fault_signals.hpp"

#include <sys/resource.h>

#include <chrono>
#include <cstring>

#include "tests/unit/base/ending.hpp"

using namespace skein::test;

namespace {

void say(const char* text) { (void)!write(STDERR_FILENO, text, std::strlen(text)); }
void say_last() { say("last words "); }
[[noreturn]] void hang() {
  for (;;) pause();
}
void fault() { *const_cast<volatile int*>(reinterpret_cast<int*>(8)) = 1; }

/// A process that faults once its faults are handled so.
Ending fault_handled_by(skein::FaultHandler report, void (*last_words)()) {
  return ending_of([=] {
    const rlimit no_core{};
    setrlimit(RLIMIT_CORE, &no_core);
    skein::handle_faults(report, last_words);
    fault();
  });
}

}  // namespace

TEST_CASE("faults: the report comes first, then last words, and the status tells the signal") {
  const Ending ending = fault_handled_by(
      [](int signal, const siginfo_t& info, const ucontext_t&) {
        if (signal == SIGSEGV && info.si_addr == reinterpret_cast<void*>(8)) say("report ");
      },
      say_last);
  CHECK(ending.said == "report last words ");
  CHECK(WIFEXITED(ending.status));
  CHECK(WEXITSTATUS(ending.status) == 128 + SIGSEGV);
}

TEST_CASE("faults: a report that faults itself is followed by a line that says so") {
  const Ending ending = fault_handled_by([](int, const siginfo_t&, const ucontext_t&) { fault(); }, say_last);
  CHECK(contains(ending.said, "segmentation fault at address 0x8;"));
  CHECK(ending.said.ends_with("\nlast words "));
  CHECK(WEXITSTATUS(ending.status) == 128 + SIGSEGV);
}

TEST_CASE("faults: last words that fault are no reason to go on") {
  const Ending ending = fault_handled_by([](int, const siginfo_t&, const ucontext_t&) {}, fault);
  CHECK(WIFEXITED(ending.status));
  CHECK(WEXITSTATUS(ending.status) == 128 + SIGSEGV);
}

TEST_CASE("faults: what hangs is ended, with the status of the fault") {
  const auto start = std::chrono::steady_clock::now();
  const Ending ending = fault_handled_by([](int, const siginfo_t&, const ucontext_t&) { hang(); }, say_last);
  const auto took = std::chrono::steady_clock::now() - start;
  CHECK(contains(ending.said, "did not come to an end"));
  CHECK(WEXITSTATUS(ending.status) == 128 + SIGSEGV);
  CHECK(took > std::chrono::milliseconds(1400));
  CHECK(took < std::chrono::seconds(10));
}
