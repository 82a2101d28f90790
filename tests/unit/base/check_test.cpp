// SPDX-License-Identifier: Apache-2.0
// What is seen of a broken invariant: in a child process, since it ends there.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "runtime/base/check.hpp"
#include "runtime/base/pe_runtime.hpp"

namespace {

struct Ending {
  std::string said;
  int status;
};

/// Runs `f` in a child, whose standard error is read.
template <class F>
Ending ending_of(F f) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);  // not doctest's handler
    f();
    _exit(0);
  }
  close(ends[1]);
  Ending ending{};
  char piece[4096];
  for (ssize_t got; (got = read(ends[0], piece, sizeof piece)) > 0;)
    ending.said.append(piece, static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child, &ending.status, 0);
  return ending;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("SKEIN_CHECK: what holds costs nothing and says nothing") {
  const Ending ending = ending_of([] { SKEIN_CHECK(1 + 1 == 2, "never %d", 1); });
  CHECK(ending.said.empty());
  CHECK(WIFEXITED(ending.status));
}

TEST_CASE("SKEIN_CHECK: what does not hold names file, condition and values, and aborts") {
  const Ending ending = ending_of([] { SKEIN_CHECK(2 < 1, "two is %d", 2); });
  CHECK(contains(ending.said, "check_test.cpp"));
  CHECK(contains(ending.said, "2 < 1"));
  CHECK(contains(ending.said, "two is 2"));
  CHECK(WIFSIGNALED(ending.status));
  CHECK(WTERMSIG(ending.status) == SIGABRT);
}

TEST_CASE("SKEIN_CHECK: in a runtime it says where, and ends the whole job") {
  const Ending ending = ending_of([] {
    const skein::PeRuntime runtime(
        {.running_rank = [] { return 7; }, .take_down = [](int status) { _exit(status ? 42 : 0); }});
    skein::own_pe = 3;
    SKEIN_CHECK(false, "why");
  });
  CHECK(contains(ending.said, "[3 7] "));
  CHECK(WIFEXITED(ending.status));
  CHECK(WEXITSTATUS(ending.status) == 42);
}
