// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/fault_signals.hpp"

#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <thread>

#include "tests/unit/base/ending.hpp"

using namespace skein::test;

namespace {

void say(const char* text) { (void)!write(STDERR_FILENO, text, std::strlen(text)); }
void say_last() { say("last words "); }
[[noreturn]] void hang() {
  for (;;) pause();
}
/// Starts a thread that takes `lock` and faults, and returns once that thread stands still.
void fault_beside(std::mutex& lock, std::atomic<int>& signal) {
  const rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  skein::handle_faults([](int, const siginfo_t&, const ucontext_t&) {}, [] {});
  std::thread([&, beside = gettid()] {
    static std::array<std::byte, 64 * 1024> stack;
    const skein::FaultsAlone alone{&signal, stack.data(), stack.size(), beside, 1};
    skein::keep_faults_to_this_thread(&alone);
    lock.lock();
    abort();
  }).detach();
  while (signal == 0) std::this_thread::yield();
}

void fault() { *const_cast<volatile int*>(reinterpret_cast<int*>(8)) = 1; }

/// Runs a process that faults after it installed `report` and `last_words`, and returns how it ended.
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

TEST_CASE("faults: a thread that faults alone, and holds a lock that is waited for, ends the process") {
  const Ending ending = ending_of([] {
    std::mutex lock;
    std::atomic<int> signal = 0;
    fault_beside(lock, signal);
    if (signal == SIGABRT) say("stands ");
    lock.lock();
  });
  CHECK(ending.said.starts_with("stands "));
  CHECK(contains(ending.said, "stands still by a fault (aborted) holds a lock that its process waits for"));
  CHECK(WEXITSTATUS(ending.status) == 128 + SIGABRT);
}

TEST_CASE("faults: where the others need no lock of it the process goes on, sleeping or not") {
  const Ending ending = ending_of([] {
    std::mutex lock;
    std::atomic<int> signal = 0;
    fault_beside(lock, signal);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    // Also wait for a lock with a timeout, which wakes now and then to look again.
    std::timed_mutex other;
    other.lock();
    for (int i = 0; i < 20; ++i) (void)other.try_lock_for(std::chrono::milliseconds(100));
    say("went on");
  });
  CHECK(ending.said == "went on");
  CHECK(ending.status == 0);
}
