// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/process.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <set>
#include <string>

#include "runtime/base/pe_runtime.hpp"
#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

extern "C" {
int __cxa_atexit(void (*)(void*), void*, void*);
int __cxa_thread_atexit_impl(void (*)(void*), void*, void*);
void __cxa_finalize(void*);
void __assert_fail(const char*, const char*, unsigned, const char*) noexcept;  // hidden by NDEBUG
}

namespace {

char events[64];  // one letter for each event
void note(char event) { events[strlen(events)] = event; }
void note_argument(void* event) { note(*static_cast<const char*>(event)); }
char letters[] = "abcdef";

void note_end(Rank& rank, int status) {
  note('!');
  CHILD_CHECK(rank.process->exit_status == status && fiber::thread_block.heap == nullptr);
}
void note_fini(Rank& rank) {
  note('F');
  CHILD_CHECK(fiber::thread_block.heap == &rank.heap);
}
const Upcalls noting{.run_destructors = note_fini, .rank_ends = note_end};
bool happened(const char* expected) {
  if (strcmp(events, expected) == 0) return true;
  fprintf(stderr, "events: %s, expected: %s\n", events, expected);
  return false;
}

}  // namespace

TEST_CASE("process: the arguments are the rank's own copy in its slot") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const char* const arguments[] = {"./app", "", "-n 5"};
    const Rank& rank = make_rank(1, arguments);
    const libc::ProcessState& process = *rank.process;
    CHILD_CHECK(process.argc == 3 && process.argv[3] == nullptr);
    CHILD_CHECK(arena::slot_of(process.argv) == 1 && arena::slot_of(&process) == 1);
    for (int i = 0; i < 3; ++i) {
      CHILD_CHECK(strcmp(process.argv[i], arguments[i]) == 0);
      CHILD_CHECK(arena::in_arena(process.argv[i]) && arena::slot_of(process.argv[i]) == 1);
    }
  }));
}

TEST_CASE("exit: thread-local objects, then handlers last first, then fini, then the hook") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const PeRuntime runtime(noting);
    run_program(rank, [] {
      RANK(__cxa_atexit)(note_argument, letters + 0, nullptr);
      RANK(__cxa_thread_atexit_impl)(note_argument, letters + 1, nullptr);
      RANK(atexit)([] { note('x'); });
      RANK(on_exit)
      ([](int status, void* letter) { note(status == 263 ? *static_cast<char*>(letter) : '?'); },
       letters + 2);
      RANK(__cxa_thread_atexit_impl)(note_argument, letters + 3, nullptr);
      RANK(exit)(263);
    });
    CHILD_CHECK(happened("dbcxaF!"));
    CHILD_CHECK(rank.done && rank.process->exit_status == 263 % 256);
  }));
}

TEST_CASE("exit: a handler may register handlers and call exit()") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const PeRuntime runtime(noting);
    run_program(rank, [] {
      RANK(atexit)([] { note('1'); });
      RANK(atexit)
      ([] {
        note('2');
        RANK(atexit)([] { note('3'); });
        RANK(exit)(4);
      });
    });
    CHILD_CHECK(happened("231F!"));
    CHILD_CHECK(rank.process->exit_status == 4);
  }));
}

TEST_CASE("exit: a hundred handlers of two ranks do not mix") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& first = make_rank(0);
    Rank& second = make_rank(1);
    {
      const AsRank as_second(second);
      RANK(__cxa_atexit)(note_argument, letters + 5, nullptr);
    }
    static int count = 0;
    run_program(first, [] {
      for (int i = 0; i < 100; ++i) RANK(atexit)([] { ++count; });
    });
    CHILD_CHECK(count == 100 && happened(""));
    CHILD_CHECK(first.done && !second.done);
    run_program(second, [] {});
    CHILD_CHECK(happened("f"));
  }));
}

TEST_CASE("__cxa_finalize: runs the handlers of one image, each once") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    run_program(rank, [] {
      static int image, other;
      RANK(__cxa_atexit)(note_argument, letters + 0, &image);
      RANK(__cxa_atexit)(note_argument, letters + 1, &other);
      RANK(__cxa_atexit)(note_argument, letters + 2, &image);
      RANK(__cxa_finalize)(&image);
      CHILD_CHECK(happened("ca"));
      RANK(__cxa_finalize)(&image);
    });
    CHILD_CHECK(happened("cab"));
  }));
}

TEST_CASE("_exit and quick_exit: handlers of exit() do not run") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const PeRuntime runtime(noting);
    Rank& first = make_rank(0);
    run_program(first, [] {
      RANK(atexit)([] { note('x'); });
      RANK(_exit)(7);
    });
    CHILD_CHECK(happened("!") && first.process->exit_status == 7);
    Rank& second = make_rank(1);
    run_program(second, [] {
      RANK(atexit)([] { note('x'); });
      RANK(at_quick_exit)([] { note('q'); });
      RANK(quick_exit)(9);
    });
    CHILD_CHECK(happened("!q!") && second.process->exit_status == 9);
  }));
}

TEST_CASE("exit: main's return value ends the rank even if nothing was registered") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(2);
    run_program(rank, [] { libc::exit_rank(-1); });
    CHILD_CHECK(rank.done && rank.process->exit_status == 255);
  }));
}

TEST_CASE("abort and assert: end the job with the rank, what failed and status 134") {
  const auto aborted = run_in_child([] { run_program(make_rank(2), [] { RANK(abort)(); }); });
  CHECK(aborted.exit_status == 134);
  CHECK(aborted.errors.find("rank 2 on PE 0: abort() was called") != std::string::npos);
  const auto failed = run_in_child([] {
    run_program(make_rank(1), [] { RANK(__assert_fail)("x > 0", "file.c", 12, "solve"); });
  });
  CHECK(failed.exit_status == 134);
  CHECK(failed.errors.find("rank 1 on PE 0: file.c:12: solve: Assertion `x > 0' failed") !=
        std::string::npos);
}

TEST_CASE("process: a call on a thread that is no rank's ends with the function's name") {
  const auto end = run_in_child([] { RANK(rand)(); });
  CHECK(end.signal == SIGABRT);
  CHECK(end.errors.find("rand() was called on a thread that the program started") != std::string::npos);
}

TEST_CASE("overrides: no name occurs twice") {
  std::set<std::string> names;
  for (const auto& table : libc::override_tables())
    for (const libc::Override& entry : table) {
      CAPTURE(entry.name);
      CHECK(names.insert(entry.name).second);
      CHECK(entry.address != nullptr);
    }
}
