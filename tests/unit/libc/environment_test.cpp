// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/environment.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <random>
#include <string>
#include <vector>

#include "runtime/libc/process.hpp"
#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

extern "C" void skein_private_environ(char***);

namespace {

const char* const job[] = {"HOME=/root", "EMPTY=", "LONG_NAME=1", "LONG=2", nullptr};

void set_up_job() { libc::set_job_environment(libc::flatten_environment(job)); }

bool same(const char* a, const char* b) { return a && b ? strcmp(a, b) == 0 : a == b; }

}  // namespace

TEST_CASE("environment: a rank that only reads it uses no memory, and its pointers hold on every PE") {
  CHECK_CHILD_PASSED(run_in_child([] {
    set_up_job();
    Rank& rank = make_rank(0);
    const std::size_t before = rank.heap.bytes_in_use();
    const AsRank program(rank);
    CHILD_CHECK(same(RANK(getenv)("HOME"), "/root"));
    CHILD_CHECK(same(RANK(getenv)("LONG"), "2"));
    CHILD_CHECK(same(RANK(getenv)("LONG_NAME"), "1"));
    CHILD_CHECK(same(RANK(secure_getenv)("EMPTY"), ""));
    CHILD_CHECK(RANK(getenv)("LON") == nullptr);
    CHILD_CHECK(RANK(getenv)("") == nullptr);
    CHILD_CHECK(rank.heap.bytes_in_use() == before);
    const auto distance =
        reinterpret_cast<std::uintptr_t>(RANK(getenv)("HOME")) - libc::kJobEnvironmentAddress;
    CHILD_CHECK(distance < 4096);
  }));
}

TEST_CASE("environment: what one rank sets, no other sees") {
  CHECK_CHILD_PASSED(run_in_child([] {
    set_up_job();
    Rank& first = make_rank(0);
    Rank& second = make_rank(1);
    {
      const AsRank program(first);
      CHILD_CHECK(RANK(setenv)("HOME", "/one", 1) == 0);
      CHILD_CHECK(arena::slot_of(RANK(getenv)("HOME")) == 0);
    }
    const AsRank program(second);
    CHILD_CHECK(same(RANK(getenv)("HOME"), "/root"));
    CHILD_CHECK(RANK(setenv)("HOME", "/two", 0) == 0);
    CHILD_CHECK(same(RANK(getenv)("HOME"), "/root"));
  }));
}

// Oracle: the C library, given the same calls.
TEST_CASE("environment: random changes have the C library's results") {
  CHECK_CHILD_PASSED(run_in_child([] {
    set_up_job();
    clearenv();
    for (const char* const* entry = job; *entry; ++entry) putenv(const_cast<char*>(*entry));
    Rank& rank = make_rank(0);
    std::mt19937 random(20260);
    const char* const names[] = {"HOME", "LONG", "LONG_NAME", "A", "B", "", "C=D", "EMPTY"};
    std::vector<std::string> kept;
    kept.reserve(5000);
    for (int step = 0; step < 5000; ++step) {
      const char* name = names[random() % 8];
      const std::string value = std::to_string(random() % 100);
      const int overwrite = static_cast<int>(random() % 2);
      const unsigned kind = random() % 40;
      int theirs = 0, ours = 0;
      if (kind < 20) {
        theirs = setenv(name, value.c_str(), overwrite);
        const AsRank program(rank);
        ours = RANK(setenv)(name, value.c_str(), overwrite);
      } else if (kind < 30) {
        theirs = unsetenv(name);
        const AsRank program(rank);
        ours = RANK(unsetenv)(name);
      } else if (kind < 39) {
        if (!*name) continue;
        kept.push_back(std::string(name) + "=" + value);
        theirs = putenv(kept.back().data());
        const AsRank program(rank);
        ours = RANK(putenv)(kept.back().data());
      } else {
        theirs = clearenv();
        const AsRank program(rank);
        ours = RANK(clearenv)();
      }
      CHILD_CHECK(theirs == ours);
      for (const char* n : {"HOME", "LONG", "LONG_NAME", "A", "B", "C", "EMPTY"}) {
        const char* expected = getenv(n);
        const AsRank program(rank);
        CHILD_CHECK(same(expected, RANK(getenv)(n)));
      }
    }
  }));
}

TEST_CASE("environment: the program's variable `environ` follows, and counts when the program sets it") {
  CHECK_CHILD_PASSED(run_in_child([] {
    set_up_job();
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    static char** variable = nullptr;
    rank_function("skein_private_environ", &skein_private_environ)(&variable);
    CHILD_CHECK(same(variable[0], "HOME=/root"));
    RANK(setenv)("NEW", "5", 1);
    CHILD_CHECK(same(variable[4], "NEW=5") && variable[5] == nullptr);
    static char entry[] = "ONLY=1";
    static char* mine[] = {entry, nullptr};
    variable = mine;
    CHILD_CHECK(same(RANK(getenv)("ONLY"), "1") && RANK(getenv)("NEW") == nullptr);
    RANK(setenv)("MORE", "2", 1);
    CHILD_CHECK(variable != mine && same(variable[0], "ONLY=1") && same(variable[1], "MORE=2"));
    RANK(clearenv)();
    CHILD_CHECK(variable == nullptr && RANK(getenv)("ONLY") == nullptr);
    RANK(putenv)(entry);
    CHILD_CHECK(variable[0] == entry && libc::environment_of(rank) == variable);
  }));
}
