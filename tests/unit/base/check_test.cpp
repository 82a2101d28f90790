// SPDX-License-Identifier: Apache-2.0
// What the user sees of a broken invariant. The check runs in a child process, which it ends.
#include "runtime/base/check.hpp"
#include "runtime/base/pe_runtime.hpp"

#include "tests/unit/base/ending.hpp"

using namespace skein::test;

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

TEST_CASE("SKEIN_CHECK: a message that is too long is cut, and nothing beside it is printed") {
  const std::string name(900, 'n');
  const Ending ending =
      ending_of([&] { skein::check_failed(name.c_str(), 1, name.c_str(), "%s", name.c_str()); });
  CHECK(ending.said.find('\n') == 1022);  // of the 1023 bytes that are written
  const std::string calls = ending.said.substr(1023);
  CHECK((calls.empty() || calls.starts_with("    ")));
  CHECK(WIFSIGNALED(ending.status));
}
